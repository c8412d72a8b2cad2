/** `at`: when the authority saw the signature. `isKnown`: whether this practice has used the authority. */
export type SealedAt = {
  /** The practice's name in the certificate. */
  signer: string
  /** SHA-256 of the certificate, in hex. */
  fingerprint: string
  /** As the sealing server's clock said. */
  signedAt: Date
  timestamp: { at: Date; authority: string; isKnown: boolean } | null
}

/** - `content`: covered bytes. - `damaged`: the seal itself. - `timestamp`: in the seal. - `cut`, `appended`: the end of the file. */
export type Alteration = 'content' | 'damaged' | 'timestamp' | 'cut' | 'appended'

/** `unknown-certificate`: as it was sealed, but by someone else. */
export type Verdict =
  | ({ status: 'valid' | 'unknown-certificate' } & SealedAt)
  | { status: 'altered'; problem: Alteration }
  | { status: 'not-sealed' }

/** In bytes. */
export const maxPdfBytes = 25 * 1024 * 1024

/** SHA-256 in hex, as people compare it: 'AB12 CD34 …'. */
export const formatFingerprint = (hex: string): string => (hex.toUpperCase().match(/.{4}/g) ?? []).join(' ')

/** Why a PDF was not verified. */
export const verificationRefusals = {
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many files. Try again in 15 minutes.' },
  UNSUPPORTED_CONTENT_TYPE: { status: 415, message: 'Send the file as application/pdf' },
  BODY_TOO_LARGE: { status: 413, message: 'A file can have at most 25 MB' },
  BUSY: { status: 503, message: 'Other files are being verified. Try again in a minute.' },
} as const
