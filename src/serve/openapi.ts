import { z } from "zod";
import { entity, failure, health, modelList, tagAnswer, tagRequest } from "./schemas.ts";

const errors: Readonly<Record<number, string>> = {
  400: "The body is not JSON in UTF-8, or was not sent to its end.",
  401: "The token is missing or wrong.",
  404: "There is no model of this name.",
  413: "The body, or the number of texts, is over the limit. Nothing was tagged.",
  415: "The body must be sent as application/json, without Content-Encoding.",
  422: "The body is JSON of another shape.",
  429: "The queue is full; Retry-After says when to come again.",
  500: "The model failed on the text.",
  503: "The server is stopping, the model is being started, or the answer took too long.",
};

/** The OpenAPI 3.1 description, made from the schemas that check requests. */
export function openApi(options: { readonly version: string; readonly hasToken: boolean }): object {
  const schemas = z.toJSONSchema(registry(), {
    target: "draft-2020-12",
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
  }).schemas as Record<string, Record<string, unknown>>;
  const json = (name: string): object => ({
    "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
  });
  const refused = Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [status, { description, content: json("Error") }]),
  );
  const tag = (summary: string, operationId: string, more: object = {}): object => ({
    ...more,
    post: {
      summary,
      operationId,
      requestBody: { required: true, content: json("TagRequest") },
      responses: {
        200: { description: "The entities, in the order of the text.", content: json("TagAnswer") },
        ...refused,
      },
    },
  });
  const get = (summary: string, operationId: string, content: object, isOpen = false): object => ({
    get: {
      summary,
      operationId,
      ...(isOpen && { security: [] }),
      responses: { 200: { description: summary, content } },
    },
  });
  const named = { parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }] };
  return {
    openapi: "3.1.0",
    info: {
      title: "Lacuna",
      version: options.version,
      description: "Named entities of texts, in the shape of the token-classification task of Hugging Face.",
    },
    paths: {
      "/": {
        ...get("A page to try the model on", "page", { "text/html": { schema: { type: "string" } } }, true),
        ...tag("Tag texts with the first model", "tagAtRoot"),
      },
      "/tag": tag("Tag texts with the first model", "tag"),
      "/models/{name}/tag": tag("Tag texts with a model by name", "tagWithModel", named),
      "/models": get("The models and their types", "models", json("Models")),
      "/health": get("Whether the server can answer", "health", json("Health"), true),
      "/metrics": get("Counters for Prometheus", "metrics", { "text/plain": { schema: { type: "string" } } }),
      "/openapi.json": get("This description", "openApi", { "application/json": { schema: { type: "object" } } }, true),
    },
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, { $schema: _, $id: __, id: ___, ...schema }]) => [name, schema]),
      ),
      ...(options.hasToken && { securitySchemes: { token: { type: "http", scheme: "bearer" } } }),
    },
    ...(options.hasToken && { security: [{ token: [] }] }),
  };
}

function registry() {
  const found = z.registry<{ id: string }>();
  for (const schema of [tagRequest, entity, tagAnswer, modelList, health, failure])
    found.add(schema, { id: schema.meta()!.id! });
  return found;
}
