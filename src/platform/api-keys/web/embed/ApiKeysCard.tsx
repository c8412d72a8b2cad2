import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatDateTime, formatShortDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { Made } from '../ApiKeyDialog.tsx'
import { formatScopes } from '../labels.ts'

type Key = Awaited<ReturnType<Client['apiKeys']['list']>>[number]

const ApiKeyDialog = lazyDialog(
  () => import('../ApiKeyDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** API keys of programs. */
export function ApiKeysCard() {
  const cache = useQueryClient()
  const clock = useClock()
  const keys = useQuery(orpc.apiKeys.list.queryOptions())
  const [isMaking, setMaking] = useState(false)
  /** Shown until the user leaves the page, then never again. */
  const [made, setMade] = useState<Made | null>(null)
  const [ending, setEnding] = useState<Key | null>(null)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.apiKeys.list.key() })
  useLive(['api-key'], () => void refresh())
  const revoke = useMutation(
    orpc.apiKeys.revoke.mutationOptions({
      onSuccess(key) {
        if (made?.key.id === key.id) setMade(null)
        toast.success(`${key.name} no longer works`)
        setEnding(null)
        return refresh()
      },
      onError: (error) => toast.error('The key still works', messageOf(error)),
    }),
  )
  const make = (
    <Button icon={<Plus />} onPointerEnter={ApiKeyDialog.prepare} onClick={() => setMaking(true)}>
      Create key
    </Button>
  )
  return (
    <Section id="api-keys" title="API keys" actions={keys.data && keys.data.length > 0 && make}>
      {made && (
        <div className="border-b border-line pb-4 pt-2">
          <CopyField label={`Key for ${made.key.name}`} value={made.token} isSecret>
            Copy it now: it is not shown again. Send it as Authorization: Bearer with each call.
          </CopyField>
        </div>
      )}
      <Asked query={keys} failed="Couldn’t load the keys">
        {(list) =>
          list.length > 0 ? (
            <>
              <ul aria-label="API keys">
                {list.map((key) => (
                  <KeyLine key={key.id} apiKey={key} clock={clock} onRevoke={() => setEnding(key)} />
                ))}
              </ul>
              <p className="pt-4 text-sm text-fg-3">
                What there is to call is described at{' '}
                <a href="/api/docs" target="_blank" rel="noreferrer" className="text-accent-fg underline">
                  /api/docs
                </a>
                .
              </p>
            </>
          ) : (
            <EmptyState icon={<KeyRound />} title="No API keys yet" actions={make}>
              A key lets another program read or change data within the permissions and time you choose.
            </EmptyState>
          )
        }
      </Asked>
      {isMaking && (
        <ApiKeyDialog
          onClose={() => setMaking(false)}
          onMade={(next) => {
            setMaking(false)
            setMade(next)
            void refresh()
          }}
        />
      )}
      {ending && (
        <ConfirmDialog
          onClose={() => setEnding(null)}
          title={`Revoke ${ending.name}?`}
          action={{ label: 'Revoke key', busyLabel: 'Revoking…', isDanger: true }}
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate({ id: ending.id })}
        >
          Programs that use it are refused immediately. This cannot be undone.
        </ConfirmDialog>
      )}
    </Section>
  )
}

function KeyLine({ apiKey, clock, onRevoke }: { apiKey: Key; clock: Clock; onRevoke: () => void }) {
  const { name, hint, scopes, madeBy, createdAt, expiresAt, lastUsedAt, revokedAt } = apiKey
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= new Date(clock.now).getTime()
  const isDead = revokedAt !== null || isOver
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className={`text-md font-medium wrap-anywhere ${isDead ? 'text-fg-3' : 'text-fg'}`}>{name}</span>
          <span className="text-sm text-fg-3 tabular-nums">{hint}…</span>
          {revokedAt !== null ? <Badge>Revoked</Badge> : isOver && <Badge>Expired</Badge>}
        </p>
        <p className="text-sm text-fg-2">{formatScopes(scopes)}</p>
        <p className="text-sm wrap-anywhere text-fg-3">
          {lastUsedAt ? `Last used ${formatDateTime(lastUsedAt, clock)}` : 'Not used yet'} · made by {madeBy} on{' '}
          {formatShortDate(createdAt, clock)}
          {!isDead && ` · ${expiresAt ? `works until ${formatShortDate(expiresAt, clock)}` : 'never expires: works until it is revoked'}`}
        </p>
      </div>
      {!isDead && (
        <Button variant="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  )
}
