import { loadCalls } from './load.ts'

/** The browser's passkeys (WebAuthn). Loaded on use. */

type Options = Record<string, unknown>

/** Shown in place of the browser's error, which names no cause on purpose. */
class PasskeyProblem extends Error {
  readonly defined = true
  readonly code = 'NO_PASSKEY'
  readonly status = 400
}

const notUsed = 'No passkey was used. You cancelled, or this device has none for this address.'

async function fromBrowser(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asked
    if (credential instanceof PublicKeyCredential) return credential
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new PasskeyProblem('This device already has a passkey for your account.', { cause: error })
    throw new PasskeyProblem(notUsed, { cause: error })
  }
  throw new PasskeyProblem(notUsed)
}

/** Asks for a passkey of this address and returns what the server verifies. */
export async function requestPasskey() {
  const { client } = await loadCalls()
  const options: Options = await client.auth.askForPasskey()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  const credential = await fromBrowser(navigator.credentials.get({ publicKey }))
  return credential.toJSON() as Parameters<typeof client.auth.passkeySignIn>[0]['passkey']
}

/** Creates a passkey for the signed-in person. */
export async function createPasskey(options: Options) {
  const { client } = await loadCalls()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  const credential = await fromBrowser(navigator.credentials.create({ publicKey }))
  return credential.toJSON() as unknown as Parameters<typeof client.account.addPasskey>[0]['response']
}
