import { oc } from '@orpc/contract'
import { z } from 'zod'

const signingKey = z.object({
  id: z.uuid(),
  /** The practice's name in the certificate. */
  name: z.string(),
  /** The certificate in PEM. */
  certificate: z.string(),
  /** SHA-256 of the certificate, in hex. */
  fingerprint: z.string(),
  createdAt: z.date(),
  /** Null for a key that was created when one was needed. */
  createdBy: z.string().nullable(),
  expiresAt: z.date(),
  /** Null for the one in use. */
  retiredAt: z.date().nullable(),
})

export const minPasswordLength = 12
const tags = ['Sealed PDFs']
const notFound = { NOT_FOUND: { status: 404, message: 'This key does not exist' } } as const

export const signingKeysContract = {
  list: oc
    .route({ method: 'GET', path: '/signing-keys', tags, summary: 'Keys that seal PDFs, newest first, with their certificates' })
    .output(z.array(signingKey)),
  rotate: oc
    .route({ method: 'POST', path: '/signing-keys', tags, summary: 'Create a key for the PDFs that are sealed from now on' })
    .input(z.strictObject({}))
    .output(signingKey),
  export: oc
    .route({ method: 'POST', path: '/signing-keys/{id}/export', tags, summary: 'Export a key with its certificate as PKCS#12' })
    .input(
      z.strictObject({
        id: z.uuid(),
        password: z
          .string('Enter a password')
          .min(minPasswordLength, `Use at least ${minPasswordLength} characters`)
          .max(200, 'Use at most 200 characters'),
      }),
    )
    .errors({
      ...notFound,
      UNREADABLE: { status: 409, message: 'The key cannot be opened, because APP_SECRET has changed' },
    })
    .output(z.object({ /** Base64. */ file: z.string() })),
}
