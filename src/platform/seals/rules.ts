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
