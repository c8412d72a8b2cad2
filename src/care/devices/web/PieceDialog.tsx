import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { deviceLimits, deviceMessages } from '../contract.ts'
import { formatPieces } from './embed/labels.ts'
import { usePlaces } from './embed/usePlaces.ts'

/** Pieces of a lot at a place. */
export interface Pieces {
  lotId: string
  lot: string
  serial: string | null
  placeId: string
  quantity: number
}
export type PieceAction = 'move' | 'waste' | 'return'

const texts: Record<PieceAction, { title: string; label: string; busyLabel: string; done: string }> = {
  move: { title: 'Move stock', label: 'Move stock', busyLabel: 'Moving…', done: 'moved' },
  waste: { title: 'Record waste', label: 'Record waste', busyLabel: 'Saving…', done: 'recorded as wasted' },
  return: { title: 'Return to supplier', label: 'Record return', busyLabel: 'Saving…', done: 'returned to the supplier' },
}

/** Moves pieces to another place, or takes them out of stock. */
export default function PieceDialog({ pieces, action, onClose }: { pieces: Pieces; action: PieceAction; onClose: () => void }) {
  const cache = useQueryClient()
  const { active, nameOf } = usePlaces()
  const others = active.filter(({ id }) => id !== pieces.placeId)
  const form = useActionForm({
    initial: { toPlaceId: null as string | null, quantity: String(pieces.quantity), reason: '' },
    check: ({ toPlaceId, quantity, reason }) => ({
      toPlaceId: action === 'move' && toPlaceId === null ? deviceMessages.place : undefined,
      quantity: /^\d+$/.test(quantity) && Number(quantity) >= 1 ? undefined : deviceMessages.quantity,
      reason: action === 'waste' && reason.trim() === '' ? deviceMessages.reason : undefined,
    }),
    refusals: { NOT_IN_STOCK: 'quantity' },
    send({ toPlaceId, quantity, reason }) {
      const { lotId, serial, placeId: fromPlaceId } = pieces
      const given = { lotId, serial, fromPlaceId, quantity: Number(quantity) }
      if (action === 'move') return client.devices.move({ ...given, toPlaceId: toPlaceId! })
      return action === 'waste' ? client.devices.waste({ ...given, reason }) : client.devices.return({ ...given, reason })
    },
    done: (_saved, { quantity }) => `${formatPieces(Number(quantity))} ${texts[action].done}`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.devices.key() })
      onClose()
    },
  })
  const { problems } = form
  const { title, label, busyLabel } = texts[action]
  return (
    <ActionDialog
      title={title}
      description={[`Lot ${pieces.lot}`, pieces.serial && `serial ${pieces.serial}`, nameOf(pieces.placeId)].filter(Boolean).join(', ')}
      form={form}
      action={{ label, busyLabel }}
      onClose={onClose}
    >
      {pieces.serial === null && (
        <Field label="Pieces" error={problems.quantity} hint={`${formatPieces(pieces.quantity)} at this place.`}>
          <Input {...form.text('quantity')} inputMode="numeric" maxLength={5} autoComplete="off" />
        </Field>
      )}
      {pieces.serial !== null && problems.quantity && (
        <p role="alert" className="text-sm text-danger-fg">
          {problems.quantity}
        </p>
      )}
      {action === 'move' ? (
        <Field label="To" error={problems.toPlaceId}>
          <Select
            {...form.bind('toPlaceId')}
            placeholder={others.length === 0 ? 'There is no other place' : 'Choose a place'}
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      ) : (
        <Field label="Reason" optional={action === 'return'} error={problems.reason}>
          <Input {...form.text('reason')} maxLength={deviceLimits.reason} autoComplete="off" />
        </Field>
      )}
    </ActionDialog>
  )
}
