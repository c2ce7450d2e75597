/** Error codes that MCP adds to those of JSON-RPC. @see spec basic/index#error-codes */
export const RESOURCE_NOT_FOUND = -32002
export const HEADER_MISMATCH = -32020
export const MISSING_CLIENT_CAPABILITY = -32021
export const UNSUPPORTED_PROTOCOL_VERSION = -32022
export const URL_ELICITATION_REQUIRED = -32042
/** What a client answers when the person refused. Until 2025-11-25. */
export const USER_REJECTED = -1
