/** Method names that more than one layer uses. Others stand where they are sent. */
export const TOOLS_CALL = 'tools/call'
export const TOOLS_LIST = 'tools/list'
export const PROMPTS_LIST = 'prompts/list'
export const PROMPTS_GET = 'prompts/get'
export const RESOURCES_LIST = 'resources/list'
export const RESOURCE_TEMPLATES_LIST = 'resources/templates/list'
export const RESOURCES_READ = 'resources/read'
export const ELICITATION_CREATE = 'elicitation/create'
export const SAMPLING_CREATE = 'sampling/createMessage'
export const ROOTS_LIST = 'roots/list'
export const PROGRESS = 'notifications/progress'
export const LOG_MESSAGE = 'notifications/message'
export const CANCELLED = 'notifications/cancelled'

/** The lists and reads: what they bring may be long, and depends on little that the caller said. */
export const BULKY: ReadonlySet<string> = new Set([
  TOOLS_LIST,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCE_TEMPLATES_LIST,
  RESOURCES_READ,
  'skills/list',
])
