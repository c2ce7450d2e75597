import { type Area, must, open, type Requirement } from './requirement.ts'

const later = (id: string, eras: Requirement['eras'], rule: string): Requirement => must(id, eras, rule, open('oauth'))

export const authorization: Area = {
  title: 'authorization',
  requirements: [
    later('A2', 'both', 'the authorization server is found by protected resource metadata'),
    later('A3', 'both', '`WWW-Authenticate` is read, and 401 answered'),
    later('A4', 'both', 'the metadata is looked for where the challenge says, else at both well-known places'),
    later('A7', 'both', 'OAuth and OpenID discovery are both supported, in order'),
    later('A8', 'modern', 'metadata of another issuer is not used'),
    later('A9', 'modern', 'registrations and tokens belong to one authorization server'),
    later('A10', 'legacy', 'in 2025-03-26 metadata stands at the root of the origin, else the default paths hold'),
    later('R3', 'both', 'a client metadata document is an https URL that is its own client id'),
    later('R6', 'modern', 'registration says the type of the application'),
    later('R7', 'modern', 'a registration refused for its redirect URIs is expected'),
    later('R8', 'modern', 'credentials are kept per issuer and not used elsewhere'),
    later('F1', 'both', 'PKCE with S256, and only where the metadata says that it is supported'),
    later('F2', 'both', '`resource` is sent to authorize and token endpoints'),
    later('F4', 'modern', 'the issuer is recorded before the redirect'),
    later('F5', 'modern', '`iss` is compared, exactly, before the code is used'),
    later('F6', 'modern', 'so it is for errors, which are not shown when it differs'),
    later('F7', 'both', 'redirect URIs are registered, and local or https'),
    later('F8', 'both', 'endpoints of authorization servers are https'),
    later('F9', 'both', 'URLs to open are https or loopback, and no shell opens them'),
    later('F11', 'both', 'the scopes of a challenge rule, whatever the metadata lists'),
    later('F14', 'modern', 'a refresh token is not counted on'),
    later('F15', 'both', 'the token stands in `Authorization` of every request, never in the query'),
    later('F16', 'both', 'a server gets only tokens of its own authorization server'),
    later('F17', 'both', 'tokens are kept safe'),
    later('F19', 'modern', 'other transports follow their own practice'),
    later('F20', 'both', 'addresses that a server names are checked before they are asked'),
  ],
}
