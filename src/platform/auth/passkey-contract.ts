import { z } from 'zod'

/** WebAuthn's JSON, as browsers create it; what they add is left out. */

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'This is not base64url')
const common = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
}

/** What a browser returns for an existing passkey. */
export const passkeyAssertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(4000),
    userHandle: bytes(200).optional(),
  }),
})
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

/** What a browser returns for a new passkey. */
export const passkeyRegistration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
})
export type PasskeyRegistration = z.output<typeof passkeyRegistration>

/** Options for the browser's own functions, which check them. */
export const passkeyOptions = z.record(z.string(), z.unknown())
