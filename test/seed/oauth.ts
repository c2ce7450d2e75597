import { later, type Section } from './row.ts'

export const oauth: Section = {
  title: 'S. OAuth',
  rows: [
    ...later(
      'oauth',
      [234, 'a provider for a server', 'auth on the target'],
      [235, 'the redirect, with a default', 'redirectUrl, a free port by default'],
      [236, 'scopes as text', "scope: 'a b'"],
      [237, 'all scopes that the server supports', "scope: ({ supported }) => supported.join(' ')"],
      [238, 'sign in before connecting', 'await auth.login(url)'],
      [239, 'port, path, waiting time, no browser', 'redirectUrl, loginTimeoutMs, openBrowser: false'],
      [240, 'the flow in two steps', 'auth.begin, auth.finish'],
      [241, 'is the token valid', 'auth.status(url)'],
      [242, 'a client with a provider', 'connect(url, { auth })'],
      [243, 'PKCE S256, always', 'always'],
      [244, 'discovery by well-known documents', 'built in'],
      [245, 'dynamic registration', 'built in, with clientMetadata'],
      [246, 'tokens are refreshed', 'before expiry and after a 401, once for all'],
      [247, 'storage of tokens is pluggable', 'store'],
      [248, 'a client registered beforehand', 'clientId, clientSecret'],
      [249, 'a client that is named by a URL', 'clientMetadataUrl'],
      [250, 'a missing scope is an error of its own', 'step-up, else InsufficientScopeError'],
      [251, 'a challenged scope counts the next time', 'united with what was granted'],
    ),
    ...later('docs', [252, 'a document on sign-in', 'a cookbook']),
  ],
}
