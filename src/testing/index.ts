export type { DemoList } from './demo-server/changes.ts'
export { type DemoServer, type DemoServerOptions, demoServer } from './demo-server/demo-server.ts'
export type { StdioServing } from './demo-server/stdio-front.ts'
