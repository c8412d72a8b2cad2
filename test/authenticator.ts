import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A WebAuthn authenticator in software: an ES256 key, and what a browser would send with it. */

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

const flags = { present: 0x01, verified: 0x04, withKey: 0x40 }

/** CBOR of a byte string of up to 255 bytes. */
const cborBytes = (data: Buffer) => Buffer.concat([Buffer.from([0x58, data.length]), data])
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

interface Behaviour {
  origin: string
  /** Whether it verifies the person by fingerprint, face or PIN. */
  isVerified?: boolean
  rpId?: string
}

export function createAuthenticator(given: Behaviour) {
  let behaviour = { isVerified: true, rpId: new URL(given.origin).hostname, ...given }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0

  const clientData = (type: 'create' | 'get', challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin: behaviour.origin, crossOrigin: false }))

  function authenticatorData(withKey: boolean): Buffer {
    const bits = flags.present | (behaviour.isVerified ? flags.verified : 0) | (withKey ? flags.withKey : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(bits, 0)
    head.writeUInt32BE(++counter, 1)
    const start = Buffer.concat([sha256(behaviour.rpId), head])
    if (!withKey) return start
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // COSE: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1), with its coordinates.
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ])
    return Buffer.concat([start, Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id, cose])
  }

  const common = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }

  return {
    register({ challenge }: { challenge: string }) {
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authenticatorData(true)),
      ])
      const clientDataJSON = base64url(clientData('create', challenge))
      return { ...common, response: { clientDataJSON, attestationObject: base64url(attestation), transports: ['internal'] } }
    },

    use({ challenge }: { challenge: string }) {
      const [data, client] = [authenticatorData(false), clientData('get', challenge)]
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        ...common,
        response: { clientDataJSON: base64url(client), authenticatorData: base64url(data), signature: base64url(signature) },
      }
    },

    /** Behaves differently from now on, with the same key. */
    behave: (change: Partial<Behaviour>) => {
      behaviour = { ...behaviour, ...change }
    },

    /** Forgets that it was used, like a copy of it. */
    rewind: () => {
      counter = 0
    },
  }
}
