/** Reserved keys of `_meta` in 2026-07-28. @see spec basic/index#meta */
export const META_VERSION = 'io.modelcontextprotocol/protocolVersion'
export const META_CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
export const META_CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
export const META_SERVER_INFO = 'io.modelcontextprotocol/serverInfo'
export const META_LOG_LEVEL = 'io.modelcontextprotocol/logLevel'
/** Names the task that a message belongs to. @see spec 2025-11-25 basic/utilities/tasks */
export const META_RELATED_TASK = 'io.modelcontextprotocol/related-task'
export const META_SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'
