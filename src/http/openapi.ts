// The OpenAPI document, made from the routes' own schemas, and the reference page that shows it.
import swagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { App } from "../app.ts";
import type { Server } from "./server.ts";

export async function documentApi(server: Server, app: App): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Extraction Service",
        version: app.config.version,
        description: "Any document in; text, markdown, elements, tables and the fields of your JSON Schema out.",
      },
      servers: [{ url: app.baseUrl }],
      components: {
        securitySchemes: {
          api_key: { type: "http", scheme: "bearer", description: "`Authorization: Bearer ext_live_…`" },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  server.get("/openapi.json", { schema: { hide: true } }, async () => server.swagger());
}

/** For every route behind the gate. */
export const needsKey = [{ api_key: [] }];
