/** A prefix of dot-separated labels and a slash, or none; then a name, which may be empty behind a prefix. */
const KEY = /^(?:[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/(?:[a-z\d](?:[\w.-]*[a-z\d])?)?|[a-z\d](?:[\w.-]*[a-z\d])?)$/i
/** Far longer than any key in use; what is longer is no key. */
const MAX_CHARS = 256

/** Whether a key may stand in `_meta`. @see spec basic/index#meta */
export function isMetaKey(key: string): boolean {
  return key.length <= MAX_CHARS && KEY.test(key)
}
