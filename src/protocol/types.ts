/** Wire types, named as in the specification. Unknown fields stay where they came. @see https://modelcontextprotocol.io/specification */

export type Meta = { readonly [key: string]: unknown }

export interface Icon {
  src: string
  mimeType?: string
  sizes?: string[]
  theme?: 'light' | 'dark'
}

export interface Implementation {
  name: string
  version: string
  title?: string
  description?: string
  websiteUrl?: string
  icons?: Icon[]
}

export interface ServerCapabilities {
  experimental?: { [key: string]: object }
  logging?: object
  completions?: object
  prompts?: { listChanged?: boolean }
  resources?: { subscribe?: boolean; listChanged?: boolean }
  tools?: { listChanged?: boolean }
  tasks?: { list?: object; cancel?: object; requests?: { tools?: { call?: object } } }
  extensions?: { [id: string]: object }
}

export interface ClientCapabilities {
  experimental?: { [key: string]: object }
  roots?: { listChanged?: boolean }
  sampling?: { context?: object; tools?: object }
  elicitation?: { form?: object; url?: object }
  tasks?: object
  extensions?: { [id: string]: object }
}

export interface Annotations {
  audience?: ('user' | 'assistant')[]
  priority?: number
  lastModified?: string
}

export interface TextContent {
  type: 'text'
  text: string
  annotations?: Annotations
  _meta?: Meta
}

export interface ImageContent {
  type: 'image'
  /** Base64. */
  data: string
  mimeType: string
  annotations?: Annotations
  _meta?: Meta
}

export interface AudioContent {
  type: 'audio'
  /** Base64. */
  data: string
  mimeType: string
  annotations?: Annotations
  _meta?: Meta
}

export interface TextResourceContents {
  uri: string
  text: string
  mimeType?: string
  _meta?: Meta
}

export interface BlobResourceContents {
  uri: string
  /** Base64. */
  blob: string
  mimeType?: string
  _meta?: Meta
}

export type ResourceContents = TextResourceContents | BlobResourceContents

export interface EmbeddedResource {
  type: 'resource'
  resource: ResourceContents
  annotations?: Annotations
  _meta?: Meta
}

export interface Resource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  icons?: Icon[]
  annotations?: Annotations
  _meta?: Meta
}

export interface ResourceLink extends Resource {
  type: 'resource_link'
}

/** A kind that is not among these comes as it is: let `default` handle it. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink

export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  icons?: Icon[]
  annotations?: Annotations
  _meta?: Meta
}

/** Hints of an untrusted server. Absent ones mean: writes, destroys, not idempotent, open world. */
export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

export type JSONSchema = { readonly [keyword: string]: unknown }

export interface Tool {
  name: string
  title?: string
  description?: string
  inputSchema: JSONSchema
  outputSchema?: JSONSchema
  annotations?: ToolAnnotations
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' }
  icons?: Icon[]
  _meta?: Meta
}

/** Where a task stands; the last three are its end. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export interface CallToolResult {
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: Meta
  [key: string]: unknown
}

export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required?: boolean
}

export interface Prompt {
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
  icons?: Icon[]
  _meta?: Meta
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
}

export interface GetPromptResult {
  description?: string
  messages: PromptMessage[]
  _meta?: Meta
}

export type LoggingLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

export interface Root {
  /** A `file:` URI. */
  uri: string
  name?: string
  _meta?: Meta
}

export interface ModelPreferences {
  hints?: { name?: string }[]
  costPriority?: number
  speedPriority?: number
  intelligencePriority?: number
}

export interface ToolUseContent {
  type: 'tool_use'
  id: string
  name: string
  input: { [key: string]: unknown }
  _meta?: Meta
}

export interface ToolResultContent {
  type: 'tool_result'
  toolUseId: string
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: Meta
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

export interface SamplingMessage {
  role: 'user' | 'assistant'
  content: SamplingContent | SamplingContent[]
  _meta?: Meta
}

export interface CreateMessageRequest {
  messages: SamplingMessage[]
  maxTokens: number
  modelPreferences?: ModelPreferences
  systemPrompt?: string
  includeContext?: 'none' | 'thisServer' | 'allServers'
  temperature?: number
  stopSequences?: string[]
  metadata?: object
  tools?: Tool[]
  toolChoice?: { mode?: 'auto' | 'required' | 'none' }
  _meta?: Meta
}

export interface CreateMessageResult {
  role: 'user' | 'assistant'
  content: SamplingContent | SamplingContent[]
  model: string
  stopReason?: string
  _meta?: Meta
}

/** A question to the person, answered by content that fits `requestedSchema`. */
export interface ElicitFormRequest {
  mode: 'form'
  message: string
  requestedSchema: JSONSchema
  _meta?: Meta
}

/** A request to visit a URL. Show it whole and get consent; never fetch it. */
export interface ElicitUrlRequest {
  mode: 'url'
  message: string
  url: string
  /** Until 2025-11-25. */
  elicitationId?: string
  _meta?: Meta
}

export type ElicitRequest = ElicitFormRequest | ElicitUrlRequest

export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel'
  content?: { [key: string]: string | number | boolean | string[] }
}

export interface Progress {
  progress: number
  total?: number
  message?: string
}
