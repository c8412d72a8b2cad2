/**
 * Features that API keys can access. Personal ones (mailbox, notifications, calendar feed) and those that control access are not included.
 */
export const keyFeatures = [
  'contacts',
  'appointments',
  'bulkChanges',
  'collections',
  'consent',
  'dashboard',
  'documents',
  'duplicates',
  'emailTemplates',
  'gallery',
  'healthCards',
  'portraits',
  'health',
  'forms',
  'consentForms',
  'imports',
  'inbox',
  'interactions',
  'leads',
  'leadSources',
  'notes',
  'pipeline',
  'pos',
  'practice',
  'procedures',
  'quotes',
  'referrals',
  'reports',
  'surgeries',
  'tags',
  'tasks',
] as const
export type KeyFeature = (typeof keyFeatures)[number]

/** Features whose calls only read. */
const readOnly: readonly KeyFeature[] = ['dashboard', 'gallery']

export type KeyScope = `${KeyFeature}:${'read' | 'write'}`
export const keyScopes: readonly KeyScope[] = keyFeatures.flatMap((feature): KeyScope[] =>
  readOnly.includes(feature) ? [`${feature}:read`] : [`${feature}:read`, `${feature}:write`],
)

/** Calls that issue other keys, grant people access by email domain or are a person's signature, refused for every key. */
const neverByKey: readonly string[] = [
  'leadSources.create',
  'leadSources.rotateKey',
  'practice.changeSettings',
  'notes.sign',
  'notes.cosign',
  'consentForms.countersign',
]

/** The calls that also read or change patients in bulk, and the scope that allows the same for a single patient. */
const contactScopes: Readonly<Record<string, KeyScope>> = {
  'pipeline.mergeStage': 'contacts:write',
  'leadSources.move': 'contacts:write',
  'procedures.move': 'contacts:write',
  'tags.merge': 'contacts:write',
  'tags.delete': 'contacts:write',
  'imports.findings': 'contacts:read',
}

/** The scope of a call's own feature, such as 'contacts:read' for 'contacts.list' by GET. Null if no key may make the call. */
export function scopeOf(route: string, method: string): KeyScope | null {
  if (neverByKey.includes(route)) return null
  const scope = `${route.split('.')[0]}:${method === 'GET' ? 'read' : 'write'}`
  return keyScopes.find((known) => known === scope) ?? null
}

/** Whether a key with these scopes may make a call. The role of the account behind it is checked separately. */
export function keyMayCall(scopes: readonly string[], route: string, method: string): boolean {
  const needed = scopeOf(route, method)
  const contactScope = Object.hasOwn(contactScopes, route) ? contactScopes[route] : undefined
  return needed !== null && scopes.includes(needed) && (contactScope === undefined || scopes.includes(contactScope))
}

/** The prefix of keys, so that secret scanners recognize a leaked one. */
export const keyPrefix = 'refyne_'

/** The API key in an Authorization header, or null. The patient portal sends its own kind of bearer token. */
export const keyIn = (authorization: string | null): string | null =>
  /^Bearer +(refyne_[\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? null

type KeyValidity = { expiresAt: Date | null; revokedAt: Date | null }

/** Whether a key is valid now. */
export const isLive = ({ expiresAt, revokedAt }: KeyValidity, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt.getTime() > now.getTime())
