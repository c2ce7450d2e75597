import { later, type Section } from './row.ts'

export const models: Section = {
  title: 'Q. Models',
  rows: later(
    'models',
    [200, 'tools for OpenAI', 'toOpenAITools(client).tools'],
    [201, 'tools for Anthropic, without $schema at any depth', 'toAnthropicTools(client)'],
    [202, 'tools for Google', 'toGoogleTools(client)'],
    [203, 'only the named tools', '{ only: [name] }'],
    [204, 'tools of many servers at once', 'a group as source'],
    [205, 'an OpenAI example with a file server', 'an example and kit.run'],
    [206, 'two OpenAI clients', 'Chat Completions and Responses'],
    [207, 'an Anthropic example', 'an example and kit.run'],
    [208, 'tools wrapped for a chat framework', 'mcp-switchboard/ai-sdk, mcp-switchboard/langchain'],
    [209, 'a chat framework that drives a browser', 'an example with @playwright/mcp'],
    [210, 'Google Vertex with a service account', 'mcp-switchboard/google with Vertex'],
    [211, 'the result goes back to the model', "kit.run returns that vendor's messages"],
  ),
}
