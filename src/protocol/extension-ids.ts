/** The official extensions that this package speaks. @see spec extensions */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
