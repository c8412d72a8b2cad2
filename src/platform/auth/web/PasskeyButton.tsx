import { useState } from 'react'
import { messageOf } from '../../../ui/client/refusal.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { loadCalls, prepareCalls } from './load.ts'

type Calls = Awaited<ReturnType<typeof loadCalls>>['client']
type Passkey = Parameters<Calls['auth']['passkeySignIn']>[0]['passkey']

interface PasskeyButtonProps<Result> {
  label: string
  /** Toast title. */
  failed: string
  send: (client: Calls, passkey: Passkey) => Promise<Result>
  onDone: (result: Result) => void
}

/** Asks the browser for a passkey; not shown by browsers that have none. */
export function PasskeyButton<Result>({ label, failed, send, onDone }: PasskeyButtonProps<Result>) {
  const [isBusy, setBusy] = useState(false)
  if (!('PublicKeyCredential' in window)) return null
  async function start() {
    setBusy(true)
    try {
      const [{ requestPasskey }, { client }] = await Promise.all([import('./passkey.ts'), loadCalls()])
      onDone(await send(client, await requestPasskey()))
    } catch (error) {
      toast.single('error', failed, messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="lg" block busy={isBusy} busyLabel="Waiting for your passkey…" onFocus={prepareCalls} onClick={() => void start()}>
      {label}
    </Button>
  )
}
