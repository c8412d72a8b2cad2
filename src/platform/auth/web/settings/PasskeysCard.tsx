import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { formatAgoInSentence, formatDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'

const AddPasskeyDialog = lazyDialog(
  () => import('./AddPasskeyDialog.tsx'),
  ({ onClose }) => onClose(),
)

type Passkey = { id: string; name: string }

/** The user's passkeys. */
export function PasskeysCard() {
  const clock = useClock()
  const cache = useQueryClient()
  const list = useQuery(orpc.account.passkeys.queryOptions())
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const refresh = () => {
    for (const queryKey of [orpc.account.passkeys.key(), orpc.account.twoFactor.key()]) void cache.invalidateQueries({ queryKey })
  }
  const isSupported = 'PublicKeyCredential' in window
  return (
    <Section
      id="passkeys"
      title="Passkeys"
      actions={
        isSupported && (
          <Button onPointerEnter={AddPasskeyDialog.prepare} onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        )
      }
    >
      <Asked query={list} failed="Couldn’t load your passkeys">
        {(passkeys) =>
          passkeys.length === 0 ? (
            <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
              No passkeys yet. With one, you sign in with your fingerprint, face or PIN instead of your password and code.
              {!isSupported && ' This browser has no passkeys.'}
            </p>
          ) : (
            <ul aria-label="Passkeys" className="pt-2">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-b-0">
                  <KeyRound aria-hidden="true" className="size-5 flex-none text-fg-3" />
                  <span className="min-w-0 flex-1">
                    <span className="block text-md font-medium wrap-anywhere text-fg">{passkey.name}</span>
                    <span className="block text-sm text-fg-3">
                      Added {formatDate(passkey.createdAt, clock.timeZone)} ·{' '}
                      {passkey.lastUsedAt ? `last used ${formatAgoInSentence(passkey.lastUsedAt, clock)}` : 'never used'}
                    </span>
                  </span>
                  <Button variant="danger" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoving(passkey)}>
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
      {isAdding && (
        <AddPasskeyDialog
          onClose={() => {
            setAdding(false)
            refresh()
          }}
        />
      )}
      {removing && <RemoveDialog passkey={removing} onDone={refresh} onClose={() => setRemoving(null)} />}
    </Section>
  )
}

function RemoveDialog({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) {
  const form = useActionForm({
    initial: {},
    send: () => client.account.removePasskey({ id: passkey.id }),
    done: 'Passkey removed',
    onDone() {
      onDone()
      onClose()
    },
  })
  return (
    <ActionDialog
      title={`Remove the passkey ${passkey.name}?`}
      form={form}
      action={{ label: 'Remove', busyLabel: 'Removing…', isDanger: true }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">It can no longer be used to sign in here. You can delete it on your device as well.</p>
    </ActionDialog>
  )
}
