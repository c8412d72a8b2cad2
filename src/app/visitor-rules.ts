/** Spec 2 and product "Getting in": the paths available without a session. Everything else belongs to the staff application. */
const paths = [
  '/auth',
  '/auth/sso/callback',
  '/reset-password',
  '/update-password',
  '/verify-email',
  '/pending',
  '/setup',
  '/invitation',
  '/patientdocuments',
  '/portal',
  '/u',
  '/appointment',
  '/pay',
  '/offer',
  '/waiting',
  '/s',
  '/forms',
  '/verify',
  '/tablet',
  '/consents',
  '/shared-photos',
] as const
export type SignedOutPath = (typeof paths)[number]

/** The path as listed above, without a trailing slash and in lower case; null for a staff path. */
export function signedOutPath(pathname: string): SignedOutPath | null {
  const plain = pathname.toLowerCase().replace(/(?<=.)\/$/, '')
  // The link in an email is followed by its token.
  const linked = /^(\/u|\/s|\/appointment|\/pay|\/offer|\/waiting|\/forms|\/consents)\/[^/]+$/.exec(plain)?.[1]
  if (linked) return linked as SignedOutPath
  return paths.find((path) => path === plain) ?? null
}
