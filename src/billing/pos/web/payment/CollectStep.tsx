import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Spinner } from '../../../../ui/display/Spinner.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import type { ReceiptToSend } from './sale.ts'
import { useReaders } from './useReaders.ts'

interface CollectStepProps {
  payload: ReceiptToSend
  /** What the card is to pay, in cents. */
  moneyCents: number
  /** The card was charged: the receipt can be recorded. */
  onPaid: () => void
  /** Nothing was charged. */
  onBack: () => void
}

/** How often the server is asked while a reader waits for a card, in milliseconds. */
const askEvery = 1_500

/** Asks for the patient's card at a reader, and waits for it. */
export function CollectStep({ payload, moneyCents, onPaid, onBack }: CollectStepProps) {
  const readers = useReaders()
  const [readerId, setReaderId] = useState(readers[0]?.id ?? null)
  const [paymentId, setPaymentId] = useState<string | null>(null)
  /** The server may keep a payment, and a gift card that pays a part, for this sale. */
  const [hasAsked, setHasAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.focus(), [])

  const asked = useQuery(
    orpc.cardTerminal.check.queryOptions({
      input: { id: paymentId ?? '' },
      enabled: paymentId !== null,
      staleTime: 0,
      gcTime: 0,
      retry: false,
      refetchInterval: askEvery,
    }),
  )
  const status = asked.data?.id === paymentId ? asked.data : null
  const over = useEffectEvent(() => {
    if (status?.status === 'paid') onPaid()
    if (status?.status === 'cancelled') onBack()
    if (status?.failureCode) {
      setPaymentId(null)
      setProblem(declined)
    }
  })
  useEffect(() => over(), [status?.status, status?.failureCode])

  async function collect() {
    if (readerId === null || isBusy) return
    setBusy(true)
    setHasAsked(true)
    setProblem(null)
    try {
      const { id, status: first } = await client.cardTerminal.collect({
        readerId,
        sale: { ...payload, idempotencyKey: payload.idempotencyKey! },
      })
      if (first === 'paid') onPaid()
      else setPaymentId(id)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  async function cancel() {
    if (!hasAsked) return onBack()
    setBusy(true)
    try {
      const { status: last } = await client.cardTerminal.cancel({ id: payload.idempotencyKey! })
      if (last === 'paid') onPaid()
      else onBack()
    } catch (error) {
      // The server has no payment to cancel.
      if (codeOf(error) === 'NOT_FOUND') onBack()
      else setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  // The step before asked whether to charge the card: a single reader leaves nothing to choose.
  const begin = useEffectEvent(() => {
    if (readers.length === 1 && readers[0]!.isOnline) void collect()
  })
  useEffect(() => begin(), [])

  const label = readers.find(({ id }) => id === readerId)?.label ?? ''
  return (
    <>
      <DialogBody>
        <div ref={body} tabIndex={-1} className="flex flex-col gap-4 outline-none">
          <p className="flex justify-between gap-4 text-md">
            <span className="text-fg-2">To pay by card</span>
            <span className="font-medium text-fg tabular-nums">{formatMoney(moneyCents)}</span>
          </p>
          {problem && (
            <Alert tone="danger" title="The card was not charged.">
              {problem}
            </Alert>
          )}
          {paymentId === null ? (
            <Field label="Reader">
              <Select
                value={readerId}
                onValueChange={setReaderId}
                options={readers.map(({ id, label: name, isOnline }) => ({ value: id, label: isOnline ? name : `${name} (offline)` }))}
                placeholder="Choose a reader"
              />
            </Field>
          ) : (
            <p role="status" className="flex items-center gap-3 text-md text-fg">
              <Spinner /> Waiting for the card at {label}…
            </p>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" busy={isBusy && paymentId !== null} busyLabel="Cancelling…" onClick={() => void cancel()}>
          Cancel
        </Button>
        {paymentId === null && (
          <Button
            size="lg"
            variant="filled"
            disabled={readerId === null}
            busy={isBusy}
            busyLabel="Connecting…"
            className="tabular-nums"
            onClick={() => void collect()}
          >
            Charge card - {formatMoney(moneyCents)}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}

const declined = 'The bank declined the card. Try again, use another card, or cancel and choose another way to pay.'
