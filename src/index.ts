export { Client, type PageItems } from './client.ts'
export { ClientGroup, type Failures, type OfServer } from './client-group.ts'
export type { ServersSource } from './config/load-servers.ts'
export type { Target } from './config/target.ts'
export { connect } from './connect.ts'
export { connectGroup } from './connect-group.ts'
export type { CommonOptions, ConnectOptions, Handlers, ServerObject, StdioServerOptions } from './connect-options.ts'
export { type EraChoice, PROTOCOL_VERSIONS } from './era/versions.ts'
export {
  AmbiguousNameError,
  AuthorizationError,
  type CloseReason,
  ConfigError,
  ConnectionError,
  HandlerError,
  HttpError,
  type HttpErrorDetails,
  InsufficientScopeError,
  McpError,
  type McpErrorOptions,
  type NameKind,
  NotFoundError,
  type Outcome,
  PolicyError,
  type PolicyReason,
  ProtocolError,
  ResponseTooLargeError,
  RpcError,
  TaskError,
  TimeoutError,
  ToolError,
  TransportError,
  UnsupportedError,
  ValidationError,
  type ValidationIssue,
  type ValidationReason,
} from './errors.ts'
export type { CompleteRequest, Completion } from './features/completion.ts'
export { accept, cancel, decline, type Elicit, type ElicitAnswer, type ElicitationHandler } from './features/elicitation.ts'
export type { ClientEvents, EventName } from './features/events.ts'
export type { Extension } from './features/extensions.ts'
export type { KeptOptions } from './features/kept-requests.ts'
export type { ResourceUpdate, SubscribeOptions } from './features/live/subscriptions.ts'
export type { Page, PagesOptions } from './features/pagination.ts'
export type { ResourceAddress, TemplateValue } from './features/resource-address.ts'
export type { ResultOptions } from './features/result-options.ts'
export type { CreateMessage, SamplingAnswer, SamplingHandler } from './features/sampling.ts'
export type { LoadedSkill } from './features/skills/loaded-skill.ts'
export type { Skill, SkillResource } from './features/skills/skill.ts'
export type { SkillFile } from './features/skills/skill-file.ts'
export type { LoadSkillOptions } from './features/skills/skills.ts'
export type { StandardIssue, StandardResult, StandardSchema } from './features/standard-schema.ts'
export { Task, type TaskResultOptions } from './features/tasks/task.ts'
export type { TaskCallOptions } from './features/tasks/task-calls.ts'
export type { ToolBatchCall, ToolBatchOptions, ToolBatchResults } from './features/tool-batch.ts'
export { ToolHandle } from './features/tool-handle.ts'
export type { ToolCallOptions, ToolEvent, ToolQuery } from './features/tool-options.ts'
export { ToolResult } from './features/tool-result.ts'
export type { GroupEventName, GroupEvents } from './group/group-events.ts'
export { GroupToolHandle } from './group/group-tool.ts'
export type { StateChange } from './group/member.ts'
export type { Naming } from './group/name-index.ts'
export type { ServerRef, WithServer } from './group/router.ts'
export type { ServerState, ServerStatus } from './group/server-status.ts'
export type { Ready } from './group/startup.ts'
export type { GroupOptions, MemberOptions } from './group-options.ts'
export type { Params, RequestId } from './jsonrpc/message.ts'
export type { Limits } from './limits.ts'
export type { ApprovalRequest, Approve } from './policy/approval.ts'
export type { Rule, Rules, Subject } from './policy/rules.ts'
export { isVisibleTo, type ToolAudience, uiResourceUri } from './protocol/apps.ts'
export { bytesOf, isText } from './protocol/content.ts'
export type * from './protocol/types.ts'
export type { HandlerContext } from './session/inbound.ts'
export type { Call, CallContext, CallHandler, Direction, Interceptor, MessageListener, ObservedMessage } from './session/interceptor.ts'
export type { SessionState } from './session/links.ts'
export type { Logger } from './session/logger.ts'
export type { RequestOptions } from './session/request-options.ts'
export type { Store } from './store/store.ts'
export type { ForeignTransport, TransportSource } from './transport/foreign.ts'
export type { InProcessServer, InProcessSession } from './transport/memory.ts'
export type { Transport } from './transport/transport.ts'
export { VERSION } from './version.ts'
