/** Wire types, named as in the specification. Unknown fields stay where they came. @see https://modelcontextprotocol.io/specification */

export type Meta = { readonly [key: string]: unknown }

export interface Icon {
  src: string
  mimeType?: string | undefined
  sizes?: string[] | undefined
  theme?: 'light' | 'dark' | undefined
}

export interface Implementation {
  name: string
  version: string
  title?: string | undefined
  description?: string | undefined
  websiteUrl?: string | undefined
  icons?: Icon[] | undefined
}

export interface ServerCapabilities {
  experimental?: { [key: string]: object } | undefined
  logging?: object | undefined
  completions?: object | undefined
  prompts?: { listChanged?: boolean | undefined } | undefined
  resources?: { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined
  tools?: { listChanged?: boolean | undefined } | undefined
  tasks?:
    | {
        list?: object | undefined
        cancel?: object | undefined
        requests?: { tools?: { call?: object | undefined } | undefined } | undefined
      }
    | undefined
  extensions?: { [id: string]: object } | undefined
}

export interface ClientCapabilities {
  experimental?: { [key: string]: object } | undefined
  roots?: { listChanged?: boolean | undefined } | undefined
  sampling?: { context?: object | undefined; tools?: object | undefined } | undefined
  elicitation?: { form?: { [key: string]: unknown } | undefined; url?: object | undefined } | undefined
  tasks?: object | undefined
  extensions?: { [id: string]: object } | undefined
}

export interface Annotations {
  audience?: ('user' | 'assistant')[] | undefined
  priority?: number | undefined
  lastModified?: string | undefined
}

export interface TextContent {
  type: 'text'
  text: string
  annotations?: Annotations | undefined
  _meta?: Meta | undefined
}

export interface ImageContent {
  type: 'image'
  /** Base64. */
  data: string
  mimeType: string
  annotations?: Annotations | undefined
  _meta?: Meta | undefined
}

export interface AudioContent {
  type: 'audio'
  /** Base64. */
  data: string
  mimeType: string
  annotations?: Annotations | undefined
  _meta?: Meta | undefined
}

export interface TextResourceContents {
  uri: string
  text: string
  mimeType?: string | undefined
  _meta?: Meta | undefined
}

export interface BlobResourceContents {
  uri: string
  /** Base64. */
  blob: string
  mimeType?: string | undefined
  _meta?: Meta | undefined
}

export type ResourceContents = TextResourceContents | BlobResourceContents

export interface EmbeddedResource {
  type: 'resource'
  resource: ResourceContents
  annotations?: Annotations | undefined
  _meta?: Meta | undefined
}

export interface Resource {
  uri: string
  name: string
  title?: string | undefined
  description?: string | undefined
  mimeType?: string | undefined
  size?: number | undefined
  icons?: Icon[] | undefined
  annotations?: Annotations | undefined
  _meta?: Meta | undefined
}

export interface ResourceLink extends Resource {
  type: 'resource_link'
}

/** A kind that is not among these comes as it is: let `default` handle it. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink

export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string | undefined
  description?: string | undefined
  mimeType?: string | undefined
  icons?: Icon[] | undefined
  annotations?: Annotations | undefined
  _meta?: Meta | undefined
}

/** Hints of an untrusted server. Absent ones mean: writes, destroys, not idempotent, open world. */
export interface ToolAnnotations {
  title?: string | undefined
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

export type JSONSchema = { readonly [keyword: string]: unknown }

export type JSONValue = string | number | boolean | null | JSONValue[] | { [key: string]: JSONValue }

/** The schema of the arguments of a tool. */
export interface InputSchema {
  type: 'object'
  properties?: { [name: string]: JSONValue } | undefined
  required?: string[] | undefined
  [keyword: string]: unknown
}

export interface Tool {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: InputSchema
  outputSchema?: JSONSchema | undefined
  annotations?: ToolAnnotations | undefined
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' | undefined } | undefined
  icons?: Icon[] | undefined
  _meta?: Meta | undefined
}

/** Where a task stands; the last three are its end. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export interface CallToolResult {
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean | undefined
  _meta?: Meta | undefined
  [key: string]: unknown
}

export interface PromptArgument {
  name: string
  title?: string | undefined
  description?: string | undefined
  required?: boolean | undefined
}

export interface Prompt {
  name: string
  title?: string | undefined
  description?: string | undefined
  arguments?: PromptArgument[] | undefined
  icons?: Icon[] | undefined
  _meta?: Meta | undefined
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
}

export interface GetPromptResult {
  description?: string | undefined
  messages: PromptMessage[]
  _meta?: Meta | undefined
  [key: string]: unknown
}

export type LoggingLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** One line of a server's log: untrusted text. @see spec server/utilities/logging */
export interface LogLine {
  level: LoggingLevel
  logger?: string
  data: unknown
}

export interface Root {
  /** A `file:` URI. */
  uri: string
  name?: string | undefined
  _meta?: Meta | undefined
}

export interface ModelPreferences {
  hints?: { name?: string | undefined }[] | undefined
  costPriority?: number | undefined
  speedPriority?: number | undefined
  intelligencePriority?: number | undefined
}

export interface ToolUseContent {
  type: 'tool_use'
  id: string
  name: string
  input: { [key: string]: unknown }
  _meta?: Meta | undefined
}

export interface ToolResultContent {
  type: 'tool_result'
  toolUseId: string
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean | undefined
  _meta?: Meta | undefined
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

export interface SamplingMessage {
  role: 'user' | 'assistant'
  content: SamplingContent | SamplingContent[]
  _meta?: Meta | undefined
}

export interface CreateMessageRequest {
  messages: SamplingMessage[]
  maxTokens: number
  modelPreferences?: ModelPreferences | undefined
  systemPrompt?: string | undefined
  includeContext?: 'none' | 'thisServer' | 'allServers' | undefined
  temperature?: number | undefined
  stopSequences?: string[] | undefined
  metadata?: object | undefined
  tools?: Tool[] | undefined
  toolChoice?: { mode?: 'auto' | 'required' | 'none' | undefined } | undefined
  _meta?: Meta | undefined
}

export interface CreateMessageResult {
  role: 'user' | 'assistant'
  content: SamplingContent | SamplingContent[]
  model: string
  stopReason?: string | undefined
  _meta?: Meta | undefined
  [key: string]: unknown
}

/** A question to the person, answered by content that fits `requestedSchema`. */
export interface ElicitFormRequest {
  mode: 'form'
  message: string
  requestedSchema: JSONSchema
  _meta?: Meta | undefined
}

/** A request to visit a URL. Show it whole and get consent; never fetch it. */
export interface ElicitUrlRequest {
  mode: 'url'
  message: string
  url: string
  /** Until 2025-11-25. */
  elicitationId?: string | undefined
  _meta?: Meta | undefined
}

export type ElicitRequest = ElicitFormRequest | ElicitUrlRequest

export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel'
  content?: { [key: string]: string | number | boolean | string[] } | undefined
  [key: string]: unknown
}

export interface Progress {
  progress: number
  total?: number | undefined
  message?: string | undefined
}
