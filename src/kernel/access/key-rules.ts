/** What a key may be let into: the practice's data, by feature. What is someone's own (mailbox, bell, calendar feed) or guards the door is missing. */
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
  'imports',
  'inbox',
  'interactions',
  'leads',
  'leadSources',
  'pipeline',
  'pos',
  'practice',
  'procedures',
  'quotes',
  'reports',
  'surgeries',
  'tags',
  'tasks',
] as const
export type KeyFeature = (typeof keyFeatures)[number]

/** Features whose calls only read. */
const readOnly: readonly KeyFeature[] = ['dashboard']

export type KeyScope = `${KeyFeature}:${'read' | 'write'}`
export const keyScopes: readonly KeyScope[] = keyFeatures.flatMap((feature): KeyScope[] =>
  readOnly.includes(feature) ? [`${feature}:read`] : [`${feature}:read`, `${feature}:write`],
)

/** What would hand out another key, or let people in by their address, whatever its feature. */
const neverByKey: readonly string[] = ['leadSources.create', 'leadSources.rotateKey', 'practice.changeSettings']

/** The calls that also read or change patients in bulk, and the scope that allows the same for a single patient. */
const contactScopes: Readonly<Record<string, KeyScope>> = {
  'pipeline.mergeStage': 'contacts:write',
  'leadSources.move': 'contacts:write',
  'procedures.move': 'contacts:write',
  'tags.merge': 'contacts:write',
  'tags.delete': 'contacts:write',
  'imports.findings': 'contacts:read',
}

/** The scope of a call's own feature, such as 'contacts:read' for 'contacts.list' by GET. Null: no key may make the call. */
export function scopeOf(route: string, method: string): KeyScope | null {
  if (neverByKey.includes(route)) return null
  const scope = `${route.split('.')[0]}:${method === 'GET' ? 'read' : 'write'}`
  return keyScopes.find((known) => known === scope) ?? null
}

/** Whether a key with these scopes may make a call. The role of the account behind it is checked separately. */
export function mayByKey(scopes: readonly string[], route: string, method: string): boolean {
  const needed = scopeOf(route, method)
  const contactScope = Object.hasOwn(contactScopes, route) ? contactScopes[route] : undefined
  return needed !== null && scopes.includes(needed) && (contactScope === undefined || scopes.includes(contactScope))
}

/** How a key begins, so that one that was published by mistake is recognised by anyone who looks for secrets. */
export const keyPrefix = 'refyne_'

/** The key of a request's Authorization header; null where it has none of ours (a patient's portal sends a Bearer of its own). */
export const keyIn = (authorization: string | null): string | null =>
  /^Bearer +(refyne_[\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? null

type Life = { expiresAt: Date | null; revokedAt: Date | null }

/** Whether a key works at this moment. */
export const isLive = ({ expiresAt, revokedAt }: Life, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt.getTime() > now.getTime())
