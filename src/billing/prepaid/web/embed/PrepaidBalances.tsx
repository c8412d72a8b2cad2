import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { reasonOf } from '../../../../ui/client/refusal.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { formatDay, formatMoney, today } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { hasExpired, prepaidLabels } from '../../rules.ts'
import { type BalanceData, describeEntry, sessionsLabel } from '../labels.ts'

const CreditDialog = lazyDialog(
  () => import('../CreditDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** An open charge that credit can pay. */
export interface OpenCharge {
  id: string
  description: string
  openCents: number
}

type Asked =
  | { do: 'pay'; balance: BalanceData; charge: OpenCharge }
  | { do: 'use'; balance: BalanceData }
  | { do: 'return'; balance: BalanceData; receiptId: string }
  | { do: 'credit' }

/** The patient's gift cards, packages and store credit, each with its history. */
export function PrepaidBalances({
  contactId,
  charge,
}: {
  contactId: string
  /** The most urgent open charge. */ charge: OpenCharge | null
}) {
  const may = usePermission()
  const cache = useQueryClient()
  const balances = useQuery(orpc.prepaid.ofContact.queryOptions({ input: { contactId }, enabled: may('prepaid.ofContact') }))
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.prepaid.ofContact.key({ input: { contactId } }) })
  // Any receipt may sell one of these or be paid with one.
  useLive(['receipt'], refresh, { debounceMs: 300 })
  const [asked, setAsked] = useState<Asked | null>(null)
  function show(all: BalanceData[]) {
    cache.setQueryData(orpc.prepaid.ofContact.queryKey({ input: { contactId } }), all)
    for (const queryKey of [orpc.interactions.key(), orpc.collections.key()]) void cache.invalidateQueries({ queryKey })
    setAsked(null)
  }
  if (!may('prepaid.ofContact')) return null
  return (
    <section className="border-t border-line pt-4 pb-5">
      <div className="flex items-center justify-between gap-3 pb-1">
        <h3 className="text-title font-semibold">Gift cards, packages and credit</h3>
        {may('prepaid.giveCredit') && (
          <Button size="sm" onClick={() => setAsked({ do: 'credit' })}>
            Give credit…
          </Button>
        )}
      </div>
      {balances.error && (
        <Alert
          tone="danger"
          action={
            <Button size="sm" onClick={() => void balances.refetch()}>
              Try again
            </Button>
          }
        >
          Couldn’t load gift cards, packages and credit. {messageOf(balances.error)}
        </Alert>
      )}
      {balances.data?.length === 0 && (
        <p className="py-2 text-sm text-fg-3">No gift cards, packages or credit yet. They are sold with Take Payment.</p>
      )}
      <ul aria-label="Gift cards, packages and credit">
        {balances.data?.map((balance) => (
          <Balance key={balance.id} balance={balance} charge={charge} ask={setAsked} />
        ))}
      </ul>
      {asked?.do === 'use' && <SessionDialog {...asked} onClose={() => setAsked(null)} onDone={show} />}
      {asked?.do === 'return' && <SessionDialog {...asked} onClose={() => setAsked(null)} onDone={show} />}
      {asked?.do === 'pay' && <PayDialog {...asked} contactId={contactId} onClose={() => setAsked(null)} onDone={show} />}
      {asked?.do === 'credit' && <CreditDialog contactId={contactId} onClose={() => setAsked(null)} onDone={show} />}
    </section>
  )
}

function Balance({ balance, charge, ask }: { balance: BalanceData; charge: OpenCharge | null; ask: (asked: Asked) => void }) {
  const clock = useClock()
  const may = usePermission()
  const { kind, last4, itemName, sessions, sessionsLeft, balanceCents, expiresOn, entries } = balance
  const isOver = hasExpired(balance, today(clock))
  const isUsable = kind === 'package' && sessionsLeft > 0 && !isOver && may('prepaid.takeSession')
  const name = kind === 'gift-card' ? `Gift card ending in ${last4!}` : kind === 'package' ? itemName! : prepaidLabels[kind]
  return (
    <li className="py-2 text-sm">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words text-fg">
            {name} {isOver && <Badge tone="warning">Expired</Badge>}
          </p>
          <p className="text-xs text-fg-3">
            {kind === 'package'
              ? `${sessionsLeft} of ${sessionsLabel(sessions!)} left · ${expiresOn === null ? 'does not expire' : `until ${formatDay(expiresOn)}`}`
              : `${balanceCents === 0 ? 'Used up' : 'Does not expire'} · since ${formatDay(dayAt(new Date(balance.createdAt), clock.timeZone))}`}
          </p>
        </div>
        {isUsable && (
          <Button size="sm" aria-label={`Use a session of ${name}`} onClick={() => ask({ do: 'use', balance })}>
            Use session
          </Button>
        )}
        {kind === 'credit' && balanceCents > 0 && charge && may('prepaid.payCharge') && (
          <Button size="sm" aria-label={`Pay ${charge.description} with store credit`} onClick={() => ask({ do: 'pay', balance, charge })}>
            Pay charge…
          </Button>
        )}
        <p className="min-w-24 flex-none text-right text-fg tabular-nums">{formatMoney(balanceCents)}</p>
      </div>
      <details className="text-xs text-fg-3">
        <summary className="cursor-pointer">History</summary>
        <ul aria-label={`History of ${name}`} className="pt-1">
          {entries.map((entry) => (
            <li key={entry.id} className="flex min-h-7 items-center gap-3">
              <span className="min-w-0 flex-1">
                {formatDay(dayAt(new Date(entry.createdAt), clock.timeZone))} · {describeEntry(entry)}
              </span>
              {entry.isUndoable && may('prepaid.undoSession') && (
                <Button size="sm" variant="quiet" onClick={() => ask({ do: 'return', balance, receiptId: entry.receiptId })}>
                  Return session
                </Button>
              )}
              <span className="flex-none tabular-nums">{formatMoney(entry.amountCents)}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

type SessionDialogProps = Exclude<Asked, { do: 'credit' | 'pay' }> & { onClose: () => void; onDone: (balances: BalanceData[]) => void }

function SessionDialog({ balance, onClose, onDone, ...asked }: SessionDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const isUse = asked.do === 'use'
  const { id, itemName, sessionsLeft } = balance
  async function confirm() {
    setBusy(true)
    setProblem(null)
    try {
      onDone(
        asked.do === 'use'
          ? await client.prepaid.takeSession({ id, idempotencyKey })
          : await client.prepaid.undoSession({ id, receiptId: asked.receiptId, idempotencyKey }),
      )
      toast.success(isUse ? 'Session used' : 'Session returned')
    } catch (error) {
      setProblem(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={isUse ? `Use a session of ${itemName!}?` : 'Return this session?'}
      action={{ label: isUse ? 'Use session' : 'Return session', busyLabel: 'Saving…' }}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      {problem && (
        <Alert tone="danger" className="mb-3">
          {problem}
        </Alert>
      )}
      {isUse
        ? `${sessionsLeft - 1 === 0 ? 'It is the last one.' : `${sessionsLabel(sessionsLeft - 1)} will be left.`} It is recorded in QuickBooks as revenue.`
        : 'The patient gets it back, and its revenue is taken back in QuickBooks.'}
    </ConfirmDialog>
  )
}

interface PayDialogProps {
  contactId: string
  balance: BalanceData
  charge: OpenCharge
  onClose: () => void
  onDone: (balances: BalanceData[]) => void
}

function PayDialog({ contactId, balance, charge, onClose, onDone }: PayDialogProps) {
  const amountCents = Math.min(balance.balanceCents, charge.openCents)
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const pay = useMutation(
    orpc.prepaid.payCharge.mutationOptions({
      onSuccess(all) {
        onDone(all)
        toast.success(`${formatMoney(amountCents)} paid with store credit`)
      },
    }),
  )
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Pay ${formatMoney(amountCents)} of ${charge.description}?`}
      action={{ label: `Pay ${formatMoney(amountCents)}`, busyLabel: 'Saving…' }}
      isBusy={pay.isPending}
      onConfirm={() => pay.mutate({ contactId, chargeId: charge.id, accountId: balance.id, amountCents, idempotencyKey })}
    >
      {pay.error && (
        <Alert tone="danger" className="mb-3">
          {reasonOf(pay.error)}
        </Alert>
      )}
      {formatMoney(balance.balanceCents - amountCents)} of credit will be left. A receipt is recorded in QuickBooks.
    </ConfirmDialog>
  )
}
