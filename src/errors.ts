// Every error a caller can meet: one table, one class. The HTTP server turns a Fault into problem+json; nothing else does.

interface ErrorKind {
  status: number;
  title: string;
  /** Whether the same request may succeed later without a change. */
  retryable: boolean;
  /** What the caller can do about it; shown on the docs page of the code. */
  advice: string;
}

export const errors = {
  malformed_request: {
    status: 400,
    title: "The request could not be parsed",
    retryable: false,
    advice: "Send well-formed JSON, multipart or form data with a matching Content-Type.",
  },
  invalid_payment_signature: {
    status: 400,
    title: "The payment event is not signed by the provider",
    retryable: false,
    advice: "Check that STRIPE_WEBHOOK_SECRET is the signing secret of this very endpoint.",
  },
  invalid_api_key: {
    status: 401,
    title: "The API key is missing or not valid",
    retryable: false,
    advice: "Send `Authorization: Bearer ext_live_…`. A lost or rotated key is replaced in the dashboard.",
  },
  invalid_credentials: {
    status: 401,
    title: "The e-mail address or password is not right",
    retryable: false,
    advice: "Check both, or set a new password at /forgot.",
  },
  quota_exceeded: {
    status: 402,
    title: "The plan's pages for this period are used up",
    retryable: false,
    advice: "Choose a larger plan in the dashboard, or wait for the next period.",
  },
  email_not_verified: {
    status: 403,
    title: "The e-mail address is not verified yet",
    retryable: false,
    advice: "Follow the link in the verification mail. A new one can be sent from the log-in page.",
  },
  account_suspended: {
    status: 403,
    title: "The account is suspended",
    retryable: false,
    advice: "Write to the operator of this service.",
  },
  cross_origin_refused: {
    status: 403,
    title: "The form was sent from another site",
    retryable: false,
    advice: "Send forms from this service's own pages.",
  },
  payment_provider_not_configured: {
    status: 404,
    title: "This payment provider is not configured here",
    retryable: false,
    advice: "Billing is off on this service, or runs through another provider.",
  },
  not_found: {
    status: 404,
    title: "There is nothing here",
    retryable: false,
    advice: "Check the path and the id. Another account's extractions are not visible.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed here",
    retryable: false,
    advice: "The `Allow` header lists the methods this path takes.",
  },
  request_timeout: {
    status: 408,
    title: "The request took too long to arrive",
    retryable: true,
    advice: "Send it again over a faster connection, or give a `url` for the service to fetch.",
  },
  idempotency_conflict: {
    status: 409,
    title: "A request with this Idempotency-Key is still running",
    retryable: true,
    advice: "Wait for the first request, then ask again: its answer is replayed.",
  },
  extraction_ended: {
    status: 409,
    title: "The extraction has already ended",
    retryable: false,
    advice: "A completed, failed or canceled extraction never changes again.",
  },
  delivery_pending: {
    status: 409,
    title: "The event is still being delivered",
    retryable: true,
    advice: "Wait until it is delivered or has failed, then send it again.",
  },
  gone: {
    status: 410,
    title: "The extraction was deleted or has expired",
    retryable: false,
    advice: "Input and result are erased; send the document again.",
  },
  file_too_large: {
    status: 413,
    title: "The document is larger than the limit",
    retryable: false,
    advice: "GET /api/v1/account shows the limits in force.",
  },
  unsupported_media_type: {
    status: 415,
    title: "This Content-Type is not taken here",
    retryable: false,
    advice: "Send application/json, or what the reference names for this endpoint.",
  },
  unsupported_kind: {
    status: 415,
    title: "This kind of document is not read",
    retryable: false,
    advice: "The kind is found from the bytes, not from the name. The guide lists the kinds that are read.",
  },
  invalid_request: {
    status: 422,
    title: "A parameter is not usable",
    retryable: false,
    advice: "`errors` names each parameter and what it should be.",
  },
  invalid_schema: {
    status: 422,
    title: "The JSON Schema is not usable",
    retryable: false,
    advice: "`errors` points to the place in the schema.",
  },
  webhook_url_required: {
    status: 422,
    title: "An asynchronous extraction needs a webhook_url",
    retryable: false,
    advice: "Send `webhook_url`, or set a default in the dashboard, or poll with `Prefer: respond-async`.",
  },
  invalid_webhook_url: {
    status: 422,
    title: "The webhook_url can never be delivered to",
    retryable: false,
    advice: "Use a public https address without credentials in it.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "This Idempotency-Key was used for another request",
    retryable: false,
    advice: "Use a new key for a new request.",
  },
  corrupt_document: {
    status: 422,
    title: "The document is damaged and could not be read",
    retryable: false,
    advice: "Open it in its own program and save it again.",
  },
  encrypted_document: {
    status: 422,
    title: "The document is encrypted",
    retryable: false,
    advice: "Send the password as `options[password]` (PDF), or an unprotected copy.",
  },
  empty_document: {
    status: 422,
    title: "The document has no content",
    retryable: false,
    advice: "The input has no bytes, or holds nothing that can be read.",
  },
  too_many_pages: {
    status: 422,
    title: "The document has more pages than the limit",
    retryable: false,
    advice: "Choose pages with `options[pages]`, or split the document.",
  },
  document_too_complex: {
    status: 422,
    title: "The document expands beyond what is safe to read",
    retryable: false,
    advice: "Archives that unpack to very much, very deep nesting and very large sheets or images are refused.",
  },
  unsupported_language: {
    status: 422,
    title: "There is no OCR model for this language",
    retryable: false,
    advice: "`detail` lists the languages there are.",
  },
  unfetchable_url: {
    status: 422,
    title: "The document could not be fetched from its url",
    retryable: true,
    advice: "The address must be public, answer 200 in time, and stay within the size limit.",
  },
  extraction_timeout: {
    status: 422,
    title: "The extraction took longer than a job may",
    retryable: false,
    advice: "Choose fewer pages with `options[pages]`, or split the document.",
  },
  extraction_out_of_memory: {
    status: 422,
    title: "The extraction needed more memory than a job may",
    retryable: false,
    advice: "Choose fewer pages with `options[pages]`, or split the document.",
  },
  extraction_crashed: {
    status: 422,
    title: "The extraction crashed on this document",
    retryable: false,
    advice: "The document makes a reader crash. No other request was touched; please report it.",
  },
  extraction_canceled: {
    status: 409,
    title: "The extraction was canceled",
    retryable: false,
    advice: "It was canceled or deleted before it ended.",
  },
  invalid_token: {
    status: 422,
    title: "The link is used up or has expired",
    retryable: false,
    advice: "Ask for a new one from the log-in page.",
  },
  headers_too_large: {
    status: 431,
    title: "The request's headers are too large",
    retryable: false,
    advice: "Send fewer or shorter headers; 16 KB in all are taken.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    retryable: true,
    advice: "`Retry-After` says when the next request is let through.",
  },
  internal_error: {
    status: 500,
    title: "Something went wrong on our side",
    retryable: true,
    advice: "Quote the request id to the operator of this service.",
  },
  overloaded: {
    status: 503,
    title: "The service has more work than it takes on",
    retryable: true,
    advice: "Send the request again after `Retry-After` seconds.",
  },
  not_ready: {
    status: 503,
    title: "The service is starting or stopping",
    retryable: true,
    advice: "Send the request again after `Retry-After` seconds.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

export interface FaultDetails {
  /** Public: what is wrong with this request. Never a cause, a path or a stack. */
  detail?: string;
  errors?: { pointer: string; message: string }[];
  headers?: Record<string, string>;
  /** For the log only. */
  cause?: unknown;
}

/** An error whose code, detail and errors may be shown to the caller. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly errors: { pointer: string; message: string }[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, details: FaultDetails = {}) {
    super(details.detail ?? errors[code].title, { cause: details.cause });
    this.name = "Fault";
    this.code = code;
    this.detail = details.detail;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return errors[this.code].status;
  }
}
