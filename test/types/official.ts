// Compiled by `npm run check`; it has nothing to run. What both sides describe alike goes either way without a cast.
import type * as v2 from '@modelcontextprotocol/client'
import type * as v1 from '@modelcontextprotocol/sdk/types.js'
import type * as ours from '../../src/index.ts'

type Takes<Target, Source> = [Source] extends [Target] ? true : false
type Mutual<Pair> = Pair extends [infer A, infer B] ? (Takes<A, B> extends true ? Takes<B, A> : false) : false
type From<Pair> = Pair extends [infer A, infer B] ? Takes<A, B> : false
/** The names of the pairs that do not go either way. */
type Unlike<Pairs> = { [Name in keyof Pairs]: Mutual<Pairs[Name]> extends true ? never : Name }[keyof Pairs]
/** The names of the pairs of which ours does not take theirs. */
type Refused<Pairs> = { [Name in keyof Pairs]: From<Pairs[Name]> extends true ? never : Name }[keyof Pairs]
type None<Names extends never> = Names

interface LikeV2 {
  Icon: [ours.Icon, v2.Icon]
  Implementation: [ours.Implementation, v2.Implementation]
  Annotations: [ours.Annotations, v2.Annotations]
  TextContent: [ours.TextContent, v2.TextContent]
  ImageContent: [ours.ImageContent, v2.ImageContent]
  AudioContent: [ours.AudioContent, v2.AudioContent]
  TextResourceContents: [ours.TextResourceContents, v2.TextResourceContents]
  BlobResourceContents: [ours.BlobResourceContents, v2.BlobResourceContents]
  EmbeddedResource: [ours.EmbeddedResource, v2.EmbeddedResource]
  Resource: [ours.Resource, v2.Resource]
  ResourceLink: [ours.ResourceLink, v2.ResourceLink]
  ContentBlock: [ours.ContentBlock, v2.ContentBlock]
  ToolAnnotations: [ours.ToolAnnotations, v2.ToolAnnotations]
  PromptArgument: [ours.PromptArgument, v2.PromptArgument]
  Prompt: [ours.Prompt, v2.Prompt]
  PromptMessage: [ours.PromptMessage, v2.PromptMessage]
  GetPromptResult: [ours.GetPromptResult, v2.GetPromptResult]
  LoggingLevel: [ours.LoggingLevel, v2.LoggingLevel]
  Root: [ours.Root, v2.Root]
  ModelPreferences: [ours.ModelPreferences, v2.ModelPreferences]
  ToolUseContent: [ours.ToolUseContent, v2.ToolUseContent]
  ElicitResult: [ours.ElicitResult, v2.ElicitResult]
  Progress: [ours.Progress, v2.Progress]
  Tool: [ours.Tool, v2.Tool]
  CallToolResult: [ours.CallToolResult, v2.CallToolResult]
  ToolResultContent: [ours.ToolResultContent, v2.ToolResultContent]
  SamplingMessage: [ours.SamplingMessage, v2.SamplingMessage]
  ResourceTemplate: [ours.ResourceTemplate, v2.ResourceTemplateType]
  CreateMessageResult: [ours.CreateMessageResult, v2.CreateMessageResultWithTools]
}
interface LikeV1 {
  Icon: [ours.Icon, v1.Icon]
  Implementation: [ours.Implementation, v1.Implementation]
  Annotations: [ours.Annotations, v1.Annotations]
  TextContent: [ours.TextContent, v1.TextContent]
  ImageContent: [ours.ImageContent, v1.ImageContent]
  AudioContent: [ours.AudioContent, v1.AudioContent]
  TextResourceContents: [ours.TextResourceContents, v1.TextResourceContents]
  BlobResourceContents: [ours.BlobResourceContents, v1.BlobResourceContents]
  EmbeddedResource: [ours.EmbeddedResource, v1.EmbeddedResource]
  Resource: [ours.Resource, v1.Resource]
  ResourceLink: [ours.ResourceLink, v1.ResourceLink]
  ContentBlock: [ours.ContentBlock, v1.ContentBlock]
  ToolAnnotations: [ours.ToolAnnotations, v1.ToolAnnotations]
  PromptArgument: [ours.PromptArgument, v1.PromptArgument]
  Prompt: [ours.Prompt, v1.Prompt]
  PromptMessage: [ours.PromptMessage, v1.PromptMessage]
  GetPromptResult: [ours.GetPromptResult, v1.GetPromptResult]
  LoggingLevel: [ours.LoggingLevel, v1.LoggingLevel]
  Root: [ours.Root, v1.Root]
  ModelPreferences: [ours.ModelPreferences, v1.ModelPreferences]
  ToolUseContent: [ours.ToolUseContent, v1.ToolUseContent]
  ElicitResult: [ours.ElicitResult, v1.ElicitResult]
  Progress: [ours.Progress, v1.Progress]
  ServerCapabilities: [ours.ServerCapabilities, v1.ServerCapabilities]
  ResourceTemplate: [ours.ResourceTemplate, v1.ResourceTemplate]
}

/** Theirs are narrower: structured content was an object until 2025-11-25, and what is experimental is any JSON there. */
interface Wider {
  CallToolResult: [ours.CallToolResult, v1.CallToolResult]
  ToolResultContent: [ours.ToolResultContent, v1.ToolResultContent]
  SamplingMessage: [ours.SamplingMessage, v1.SamplingMessage]
  CreateMessageResult: [ours.CreateMessageResult, v1.CreateMessageResultWithTools]
  ServerCapabilities: [ours.ServerCapabilities, v2.ServerCapabilities]
  ClientCapabilities1: [ours.ClientCapabilities, v1.ClientCapabilities]
  ClientCapabilities2: [ours.ClientCapabilities, v2.ClientCapabilities]
  Completion1: [ours.Completion, v1.CompleteResult['completion']]
  Completion2: [ours.Completion, v2.CompleteResult['completion']]
  StandardSchema: [ours.StandardSchema, v2.StandardSchemaV1]
}

export type SameAsV2 = None<Unlike<LikeV2>>
export type SameAsV1 = None<Unlike<LikeV1>>
export type TakesTheirs = None<Refused<Wider>>

// The schema of a property may be `true` or `false`, which version 1 of the official types has no room for.
// @ts-expect-error
export type ToolOfV1 = None<Unlike<{ Tool: [ours.Tool, v1.Tool] }>>
// What is not alike is told.
// @ts-expect-error
export type Control = None<Unlike<{ Tool: [ours.Tool, v2.Prompt] }>>
