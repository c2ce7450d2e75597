/** What users may rely on, written by hand: a change here is a change of the public API. */

export const subpaths: readonly string[] = [
  'mcp-switchboard',
  'mcp-switchboard/config',
  'mcp-switchboard/testing',
  'mcp-switchboard/transport',
]

/** The values that the root exports; `connectGroup` and `ClientGroup` come with the work on many servers. */
export const rootValues: readonly string[] = [
  'connect',
  'Client',
  'ToolHandle',
  'ToolResult',
  'accept',
  'decline',
  'cancel',
  'isText',
  'bytesOf',
  'isVisibleTo',
  'uiResourceUri',
  'VERSION',
  'PROTOCOL_VERSIONS',
  'McpError',
  'RpcError',
  'ToolError',
  'HandlerError',
  'ProtocolError',
  'TransportError',
  'ConnectionError',
  'HttpError',
  'TimeoutError',
  'ResponseTooLargeError',
  'UnsupportedError',
  'AuthorizationError',
  'InsufficientScopeError',
  'ValidationError',
  'NotFoundError',
  'AmbiguousNameError',
  'TaskError',
  'ConfigError',
]

export const errorCodes: Readonly<Record<string, string>> = {
  RpcError: 'ERR_MCP_RPC',
  ToolError: 'ERR_MCP_TOOL',
  HandlerError: 'ERR_MCP_HANDLER',
  ProtocolError: 'ERR_MCP_PROTOCOL',
  ConnectionError: 'ERR_MCP_CONNECTION',
  HttpError: 'ERR_MCP_HTTP',
  TimeoutError: 'ERR_MCP_TIMEOUT',
  ResponseTooLargeError: 'ERR_MCP_TOO_LARGE',
  UnsupportedError: 'ERR_MCP_UNSUPPORTED',
  AuthorizationError: 'ERR_MCP_AUTHORIZATION',
  InsufficientScopeError: 'ERR_MCP_INSUFFICIENT_SCOPE',
  ValidationError: 'ERR_MCP_VALIDATION',
  NotFoundError: 'ERR_MCP_NOT_FOUND',
  AmbiguousNameError: 'ERR_MCP_AMBIGUOUS',
  TaskError: 'ERR_MCP_TASK',
  ConfigError: 'ERR_MCP_CONFIG',
}

/** The names of the demo server's tools are public too. */
export const toolsOfDemo: readonly string[] = [
  'echo',
  'add',
  'slow',
  'fail',
  'media',
  'log',
  'ask',
  'visit',
  'summarize',
  'workspace',
  'job',
  'broken',
]
