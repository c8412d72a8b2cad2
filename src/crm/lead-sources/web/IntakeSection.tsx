import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { Copyable } from './Copyable.tsx'
import { SetupSection } from './SetupSection.tsx'
import { rememberNewKey, newKeyOf } from './new-key.ts'

export type Source = Awaited<ReturnType<Client['leadSources']['get']>>

export function IntakeSection({ source }: { source: Source }) {
  const cache = useQueryClient()
  const [key, setKey] = useState(() => newKeyOf(source.id))
  const [isConfirming, setConfirming] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const address = `${source.intakeAddress}${key ?? 'YOUR-KEY'}`

  async function replace() {
    setBusy(true)
    try {
      const { webhookKey } = await client.leadSources.rotateKey({ id: source.id })
      rememberNewKey(source.id, webhookKey)
      setKey(webhookKey)
      toast.success(source.hasWebhookKey ? 'Key replaced. The old key no longer works.' : 'Key created')
      void cache.invalidateQueries({ queryKey: orpc.leadSources.key() })
    } catch (error) {
      toast.error('Couldn’t replace the key', messageOf(error))
    }
    setBusy(false)
    setConfirming(false)
  }

  return (
    <>
      <section aria-labelledby="lead-address">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line pb-3">
          <h3 id="lead-address" className="text-title font-semibold text-fg">
            Where to send leads
          </h3>
          {source.hasWebhookKey ? (
            <Button onClick={() => setConfirming(true)}>Replace key</Button>
          ) : (
            <Button busy={isBusy} busyLabel="Creating…" onClick={() => void replace()}>
              Create key
            </Button>
          )}
        </div>
        <div className="flex flex-col gap-5 pt-3">
          <p role={key ? 'status' : undefined} className="max-w-[60ch] text-sm text-fg-2">
            {key
              ? 'Copy the key now. It won’t be shown again. Anyone who has it can send leads but do nothing else.'
              : source.hasWebhookKey
                ? 'The key was shown when it was created. Replace YOUR-KEY with it. If the key is lost, replace the key.'
                : 'This source can’t receive leads until it has a key.'}
          </p>
          {key && <Copyable label="Key" text={key} />}
          {(key || source.hasWebhookKey) && <Copyable label="Address" text={address} />}
        </div>
        {isConfirming && (
          <ConfirmDialog
            onClose={() => setConfirming(false)}
            title="Replace the key?"
            action={{ label: 'Replace key', busyLabel: 'Replacing…', isDanger: true }}
            isBusy={isBusy}
            onConfirm={() => void replace()}
          >
            Forms and API clients that use the current key can’t send leads until you give them the new one.
          </ConfirmDialog>
        )}
      </section>
      {(key || source.hasWebhookKey) && <SetupSection address={address} />}
    </>
  )
}
