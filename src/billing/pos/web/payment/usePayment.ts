import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { thrownBy } from './thrown.ts'
import { type ReceiptToSend, terminalWay } from './sale.ts'

export interface Made {
  receiptId: string
  qbId: string
  docNumber: string | null
  contactId: string | null
  /** QuickBooks' total minus ours, in cents; null if equal. */
  differenceCents: number | null
}

type Open = Extract<Outcome, { kind: 'open' }>

/** Spec 4: setup, confirm, processing, complete; `collecting` while a card reader takes the card; `waiting` while it is unknown whether a receipt exists, or it is pending. */
export type Step =
  | { at: 'setup'; reasons: readonly string[]; isBack: boolean }
  | { at: 'confirm'; payload: ReceiptToSend }
  | { at: 'collecting'; payload: ReceiptToSend }
  | { at: 'processing'; payload: ReceiptToSend }
  | { at: 'waiting'; payload: ReceiptToSend; open: Open }
  | { at: 'complete'; made: Made }

/** Spec 8. */
const messages = { created: 'Sales receipt created successfully', failed: 'Failed to create sales receipt' }

const noReceipt = { state: null, isUncertain: null }

/** The steps of one payment. Retries send the confirmed sale unchanged, under the same key. */
export function usePayment() {
  const cache = useQueryClient()
  const [step, setStep] = useState<Step>({ at: 'setup', reasons: [], isBack: false })
  const sending = useRef(false)
  const backToSetup = (reasons: readonly string[] = []) => setStep({ at: 'setup', reasons, isBack: true })

  const receiptId = step.at === 'waiting' ? step.open.receiptId : null
  const kept = useQuery(
    orpc.pos.receipt.queryOptions({ input: { id: receiptId ?? '' }, enabled: receiptId !== null, staleTime: 0, retry: false }),
  )
  useLive(['receipt'], (ids) => {
    if (receiptId !== null && (ids === null || ids.has(receiptId))) void kept.refetch()
  })
  const { state, isUncertain } = kept.data?.id === receiptId && kept.data ? kept.data : noReceipt

  /** The server retries by itself, and someone else may have cancelled it. */
  const showResult = useEffectEvent(() => {
    if (step.at !== 'waiting' || !kept.data) return
    const { id, qbId, docNumber, contactId, differenceCents, problem } = kept.data
    if (state === 'complete' && qbId) complete({ receiptId: id, qbId, docNumber, contactId, differenceCents })
    if (state === 'cancelled') backToSetup(['This receipt was cancelled.'])
    if (state === 'failed') refuse([problem ?? 'QuickBooks refused this'])
  })
  useEffect(() => {
    if (state !== null && state !== 'pending') showResult()
  }, [state])

  function complete(made: Made) {
    setStep({ at: 'complete', made })
    toast.success(messages.created)
    for (const key of [orpc.contacts.key(), orpc.interactions.key(), orpc.pos.pending.key(), orpc.prepaid.ofContact.key()])
      void cache.invalidateQueries({ queryKey: key })
  }

  function refuse(reasons: readonly string[]) {
    backToSetup(reasons)
    toast.error(messages.failed)
  }

  async function send(payload: ReceiptToSend, before: Open | null) {
    if (sending.current) return
    sending.current = true
    setStep({ at: 'processing', payload })
    try {
      const { Id, DocNumber, receiptId: madeId, contactId, differenceCents } = await client.pos.createReceipt(payload)
      complete({ receiptId: madeId, qbId: Id, docNumber: DocNumber, contactId, differenceCents })
    } catch (error) {
      const outcome = outcomeOf(thrownBy(error), before)
      if (outcome.kind === 'refused') refuse(outcome.reasons)
      else setStep({ at: 'waiting', payload, open: outcome })
    } finally {
      sending.current = false
    }
  }

  async function cancelReceipt(id: string) {
    try {
      await client.pos.cancel({ id })
      backToSetup()
      toast.success('Receipt cancelled')
    } catch (error) {
      // The receipt itself shows its current state.
      if (codeOf(error) !== 'NOT_PENDING') toast.error('Receipt not cancelled', messageOf(error))
      void kept.refetch()
    }
  }

  return {
    step,
    /** Whether QuickBooks may have the pending receipt; true while unknown. */
    isUncertain: step.at === 'waiting' ? (isUncertain ?? step.open.isUncertain ?? true) : false,
    confirm: (payload: ReceiptToSend) => setStep({ at: 'confirm', payload }),
    back: () => backToSetup(),
    create: () => {
      if (step.at !== 'confirm') return
      if (step.payload.paymentMethod === terminalWay) setStep({ at: 'collecting', payload: step.payload })
      else void send(step.payload, null)
    },
    /** The reader has charged the card. */
    record: () => {
      if (step.at === 'collecting') void send(step.payload, null)
    },
    tryAgain: () => {
      if (step.at === 'waiting') void send(step.payload, step.open)
    },
    cancelReceipt,
  }
}
