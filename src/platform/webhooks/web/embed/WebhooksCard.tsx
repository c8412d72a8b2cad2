import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { Made, WebhookData } from '../WebhookDialog.tsx'

const WebhookDialog = lazyDialog(
  () => import('../WebhookDialog.tsx'),
  ({ onClose }) => onClose(),
)
const Deliveries = lazyDialog(
  () => import('../Deliveries.tsx'),
  ({ onClose }) => onClose(),
)

type Question = { action: 'rotate' | 'delete'; webhook: WebhookData }

/** Webhooks: addresses of other systems that receive events. */
export function WebhooksCard() {
  const cache = useQueryClient()
  const clock = useClock()
  const webhooks = useQuery(orpc.webhooks.list.queryOptions())
  const [edited, setEdited] = useState<WebhookData | 'new' | null>(null)
  const [looked, setLooked] = useState<WebhookData | null>(null)
  const [asked, setAsked] = useState<Question | null>(null)
  /** With the secret, shown until the user leaves the page, then never again. */
  const [made, setMade] = useState<Made | null>(null)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.webhooks.key() })
  useLive(['webhook'], () => void refresh(), { debounceMs: 500 })
  const rotate = useMutation(
    orpc.webhooks.rotateSecret.mutationOptions({
      onSuccess(next) {
        setMade(next)
        setAsked(null)
      },
      onError: (error) => toast.error('The secret was not changed', messageOf(error)),
    }),
  )
  const remove = useMutation(
    orpc.webhooks.delete.mutationOptions({
      onSuccess() {
        setMade(null)
        setAsked(null)
        toast.success('The webhook was deleted')
        return refresh()
      },
      onError: (error) => toast.error('The webhook was not deleted', messageOf(error)),
    }),
  )
  const add = (
    <Button icon={<Plus />} onPointerEnter={WebhookDialog.prepare} onClick={() => setEdited('new')}>
      Add webhook
    </Button>
  )
  return (
    <Section id="webhooks" title="Webhooks" actions={webhooks.data && webhooks.data.length > 0 && add}>
      {made && (
        <div className="border-b border-line pt-2 pb-4">
          <CopyField label="Signing secret" value={made.secret} isSecret>
            Copy it now: it is not shown again. Messages to {made.webhook.url} are signed with it, as standardwebhooks.com describes.
          </CopyField>
        </div>
      )}
      <Asked query={webhooks} failed="Couldn’t load the webhooks">
        {(list) =>
          list.length > 0 ? (
            <ul aria-label="Webhooks">
              {list.map((webhook) => (
                <li key={webhook.id} className="border-b border-line py-3">
                  <WebhookFacts webhook={webhook} clock={clock} />
                  <div className="flex flex-wrap gap-2 pt-2">
                    <Button size="sm" onClick={() => setLooked(webhook)}>
                      Deliveries
                    </Button>
                    <Button size="sm" onClick={() => setEdited(webhook)}>
                      Edit
                    </Button>
                    <Button size="sm" onClick={() => setAsked({ action: 'rotate', webhook })}>
                      New secret
                    </Button>
                    <Button size="sm" variant="danger" onClick={() => setAsked({ action: 'delete', webhook })}>
                      Delete
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState icon={<Webhook />} title="No webhooks yet" actions={add}>
              Notify another system when a patient, appointment or payment changes. It can fetch details with an API key.
            </EmptyState>
          )
        }
      </Asked>
      {edited && (
        <WebhookDialog
          webhook={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={(next) => {
            if (next) setMade(next)
            else toast.success('Webhook saved')
            setEdited(null)
            void refresh()
          }}
        />
      )}
      {looked && <Deliveries webhook={looked} onClose={() => setLooked(null)} />}
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(null)}
          title={asked.action === 'rotate' ? 'Create a new secret?' : 'Delete the webhook?'}
          action={{ label: asked.action === 'rotate' ? 'Create new secret' : 'Delete webhook', isDanger: asked.action === 'delete' }}
          isBusy={rotate.isPending || remove.isPending}
          onConfirm={() => (asked.action === 'rotate' ? rotate : remove).mutate({ id: asked.webhook.id })}
        >
          {asked.action === 'rotate'
            ? `Messages to ${asked.webhook.url} will be signed with the new secret only.`
            : `Nothing more is sent to ${asked.webhook.url}, and its delivery history is deleted.`}
        </ConfirmDialog>
      )}
    </Section>
  )
}

function WebhookFacts({ webhook, clock }: { webhook: WebhookData; clock: Clock }) {
  const { url, events, disabledAt, gaveUp, failingSince, deliveredAt, waiting } = webhook
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={`min-w-0 text-md font-medium wrap-anywhere ${disabledAt ? 'text-fg-3' : 'text-fg'}`}>{url}</span>
        {disabledAt ? (
          <Badge tone={gaveUp ? 'danger' : 'neutral'}>{gaveUp ? 'Switched off' : 'Off'}</Badge>
        ) : (
          failingSince && <Badge tone="warning">Failing</Badge>
        )}
      </p>
      <p className="text-sm text-fg-2">{events.join(', ')}</p>
      <p className="text-sm text-fg-3">
        {gaveUp
          ? `Deliveries have failed since ${failingSince ? formatDateTime(failingSince, clock) : 'several days ago'}, so it was turned off. Edit it to turn it on again.`
          : failingSince
            ? `Deliveries have failed since ${formatDateTime(failingSince, clock)}. Retrying.`
            : deliveredAt
              ? `Last delivered ${formatDateTime(deliveredAt, clock)}`
              : 'No deliveries yet'}
        {waiting > 0 && ` · ${waiting} waiting`}
      </p>
    </>
  )
}
