import { isObject } from '../jsonrpc/codec.ts'

/** What a variable of a template may be. */
export type TemplateValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean)[]
  | Readonly<Record<string, string | number | boolean>>

/** A resource by its URI, or by a template and what its variables are. */
export type ResourceAddress =
  | string
  | {
      /** A URI template by RFC 6570, such as those of `listResourceTemplates`. */
      readonly template: string
      /** One that is not given is left out, as RFC 6570 says. */
      readonly variables: Readonly<Record<string, TemplateValue | null | undefined>>
    }

/** The URI of a resource. Templates are expanded by a library that is loaded for the first of them. @throws TypeError when there is none. */
export async function resourceUri(address: ResourceAddress): Promise<string> {
  if (typeof address === 'string' && address !== '') return address
  if (!isObject(address) || typeof address.template !== 'string' || !isObject(address.variables))
    throw new TypeError('a resource is a URI or { template, variables }')
  const { parseTemplate } = await import('url-template')
  try {
    // Without a prototype: a server may name a variable like a property that every object has.
    return parseTemplate(address.template).expand(Object.assign(Object.create(null), address.variables))
  } catch (cause) {
    throw new TypeError('a variable of the template is no text that a URI can hold', { cause })
  }
}
