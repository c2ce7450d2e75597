/** The credentials in a URL as the value of an authorization header; undefined when it has none. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const credentials = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`)
  return `Basic ${btoa(String.fromCharCode(...credentials))}`
}

/** Percent-decoded; a stray percent sign is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
