/** Spec 2 and product "Getting in": what can be opened without a session. Everything else belongs to the staff half. */
const paths = [
  '/auth',
  '/reset-password',
  '/update-password',
  '/verify-email',
  '/pending',
  '/setup',
  '/invitation',
  '/patientdocuments',
  '/u',
  '/appointment',
] as const
export type SignedOutPath = (typeof paths)[number]

/** The path as listed above: without a trailing slash, in lower case. Null for a path of the staff half. */
export function signedOutPath(pathname: string): SignedOutPath | null {
  const plain = pathname.toLowerCase().replace(/(?<=.)\/$/, '')
  // The link of a mail has its token behind it.
  const linked = /^(\/u|\/appointment)\/[^/]+$/.exec(plain)?.[1]
  if (linked) return linked as SignedOutPath
  return paths.find((path) => path === plain) ?? null
}
