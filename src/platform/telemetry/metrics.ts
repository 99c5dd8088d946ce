// The figures an operator watches, in Prometheus' text form. Labels are few and bounded: never an id, a path or an address.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof openMetrics>;

export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "http_request_seconds",
      help: "Time from a request's head to the end of its answer",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
    keyChecks: new Counter({
      name: "api_key_checks_total",
      help: "API keys checked, by what it took",
      labelNames: ["outcome"],
      registers,
    }),
    extractions: new Counter({
      name: "extractions_total",
      help: "Extractions that ended",
      labelNames: ["status", "kind"],
      registers,
    }),
    running: new Gauge({ name: "extractions_running", help: "Extractions running in this process", registers }),
    deliveries: new Counter({
      name: "webhook_attempts_total",
      help: "Webhook attempts, by outcome",
      labelNames: ["outcome"],
      registers,
    }),
    mails: new Counter({ name: "mails_total", help: "Mails, by outcome", labelNames: ["outcome"], registers }),
  };
}
