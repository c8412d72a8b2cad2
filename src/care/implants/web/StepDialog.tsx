import { client } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { usePeople } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { deviceMessages } from '../../devices/contract.ts'
import { deviceName, isImplant, sides } from '../../devices/rules.ts'
import { formatPieces, sideLabels } from '../../devices/web/embed/labels.ts'
import { usePlaces } from '../../devices/web/embed/usePlaces.ts'
import { implantLimits, implantMessages } from '../contract.ts'
import { needsSide, openPieces } from '../rules.ts'
import type { SurgeryDeviceData } from './implant-data.ts'
import { formatPiece } from './labels.ts'
import { useRefreshImplants } from './useImplants.ts'

export type Step = 'use' | 'waste' | 'return' | 'correct'

interface StepDialogProps {
  line: SurgeryDeviceData
  step: Step
  surgeonId: string | null
  onClose: () => void
}

const titleOf = (step: Step, isPlaced: boolean): string =>
  ({ use: isPlaced ? 'Place implant' : 'Record use', waste: 'Record waste', return: 'Return to stock', correct: 'Correct use' })[step]

/** What became of opened pieces: placed or used, wasted, returned to stock; or the correction of a use. */
export default function StepDialog({ line, step, surgeonId, onClose }: StepDialogProps) {
  const refresh = useRefreshImplants()
  const { user } = useSession()
  const people = usePeople().data ?? []
  const { active: places } = usePlaces()
  const { device } = line
  const isPlaced = isImplant(device.kind)
  const open = openPieces(line)
  const title = titleOf(step, isPlaced)
  const form = useActionForm({
    initial: {
      quantity: String(open),
      side: line.side,
      position: line.position ?? '',
      usedBy: surgeonId ?? user?.id ?? null,
      reason: '',
      placeId: null as string | null,
    },
    check: ({ quantity, side, usedBy, reason, placeId }) => ({
      quantity: step === 'correct' || /^[1-9]\d*$/.test(quantity.trim()) ? undefined : deviceMessages.quantity,
      side: step === 'use' && needsSide(device.kind) && side === null ? implantMessages.side : undefined,
      usedBy: step === 'use' && usedBy === null ? implantMessages.usedBy : undefined,
      reason: (step === 'waste' || step === 'correct') && reason.trim() === '' ? implantMessages.reason : undefined,
      placeId: step === 'return' && (placeId ?? places[0]?.id) === undefined ? deviceMessages.place : undefined,
    }),
    refusals: { NOT_OPEN: 'quantity', WRONG_SIDE: 'side' },
    send({ quantity, side, position, usedBy, reason, placeId }) {
      const ref = { id: line.id, version: line.version }
      const pieces = Number(quantity)
      switch (step) {
        case 'use':
          return client.implants.use({ ...ref, quantity: pieces, side, position: position || null, usedBy: usedBy! })
        case 'waste':
          return client.implants.waste({ ...ref, quantity: pieces, reason })
        case 'return':
          return client.implants.return({ ...ref, quantity: pieces, placeId: placeId ?? places[0]!.id })
        case 'correct':
          return client.implants.correct({ ...ref, reason })
      }
    },
    done: `${deviceName(device)}: saved`,
    onDone() {
      refresh()
      onClose()
    },
  })
  const { problems, values } = form
  return (
    <ActionDialog
      title={title}
      description={`${deviceName(device)}. ${formatPiece(line)}`}
      form={form}
      action={{ label: title }}
      onClose={onClose}
    >
      {step !== 'correct' && line.serial === null && (
        <Field label="Pieces" error={problems.quantity} hint={`${formatPieces(open)} opened.`}>
          <Input {...form.text('quantity')} inputMode="numeric" maxLength={5} autoComplete="off" />
        </Field>
      )}
      {step === 'use' && (
        <>
          {isPlaced && (
            <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
              <Field label="Side" optional={!needsSide(device.kind)} error={problems.side}>
                <Select {...form.bind('side')} noneLabel="No side" options={sides.map((value) => ({ value, label: sideLabels[value] }))} />
              </Field>
              <Field label="Position" optional error={problems.position}>
                <Input {...form.text('position')} maxLength={implantLimits.position} autoComplete="off" placeholder="Subpectoral" />
              </Field>
            </div>
          )}
          <Field label={isPlaced ? 'Placed by' : 'Used by'} error={problems.usedBy}>
            <Select
              {...form.bind('usedBy')}
              placeholder="Choose a person"
              options={people.map(({ id, fullName }) => ({ value: id, label: fullName }))}
            />
          </Field>
        </>
      )}
      {step === 'return' && (
        <Field label="Place" error={problems.placeId}>
          <Select
            value={values.placeId ?? places[0]?.id ?? null}
            onValueChange={(placeId) => form.set({ placeId })}
            placeholder={places.length === 0 ? 'No places yet' : 'Choose a place'}
            options={places.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )}
      {(step === 'waste' || step === 'correct') && (
        <Field label="Reason" error={problems.reason}>
          <Input {...form.text('reason')} maxLength={implantLimits.reason} autoComplete="off" />
        </Field>
      )}
    </ActionDialog>
  )
}
