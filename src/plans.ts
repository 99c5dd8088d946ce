// The plans, in one table. What a plan leaves open is the operator's setting. Prices live with the payment provider.

export interface Plan {
  title: string;
  pagesPerMonth: number;
  requestsPerMinute: number | null;
  retentionDays: number | null;
}

export const plans = {
  free: { title: "Free", pagesPerMonth: 500, requestsPerMinute: null, retentionDays: null },
  starter: { title: "Starter", pagesPerMonth: 5_000, requestsPerMinute: 120, retentionDays: null },
  pro: { title: "Pro", pagesPerMonth: 50_000, requestsPerMinute: 300, retentionDays: 90 },
  scale: { title: "Scale", pagesPerMonth: 500_000, requestsPerMinute: 1_200, retentionDays: 365 },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof plans;

export const isPlan = (name: string): name is PlanName => Object.hasOwn(plans, name);

/** A plan that this version no longer knows gives what the free one gives. */
export const planOf = ({ plan }: { plan: string }): Plan => plans[isPlan(plan) ? plan : "free"];
