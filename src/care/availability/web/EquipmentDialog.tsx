import { useQueryClient } from '@tanstack/react-query'
import { useLocations } from '../../../platform/practice/web/embed/usePractice.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { availabilityMessages } from '../contract.ts'
import { visitLimits } from '../rules.ts'
import type { EquipmentData } from './embed/useAvailability.ts'

/** Equipment, and how many pieces there are at each location. */
export default function EquipmentDialog({ equipment: before, onClose }: { equipment: EquipmentData | null; onClose: () => void }) {
  const cache = useQueryClient()
  const known = useLocations().data ?? []
  const locations = known.filter(({ id, isActive }) => isActive || before?.units.some(({ locationId }) => locationId === id))
  const typed = (counts: Readonly<Record<string, string>>, id: string) =>
    counts[id] ?? String(before ? (before.units.find(({ locationId }) => locationId === id)?.count ?? 0) : locations.length === 1 ? 1 : 0)
  const noCounts: Record<string, string> = {}
  const form = useActionForm({
    initial: { name: before?.name ?? '', counts: noCounts, isActive: before?.isActive ?? true },
    check: ({ name, counts }) => ({
      name: name.trim() === '' ? availabilityMessages.equipmentName : undefined,
      units: locations.every(({ id }) => /^\d+$/.test(typed(counts, id)) && Number(typed(counts, id)) <= visitLimits.units)
        ? undefined
        : `Enter whole numbers from 0 to ${visitLimits.units}`,
    }),
    refusals: { NAME_TAKEN: 'name' },
    send({ name, counts, isActive }) {
      const units = locations.map(({ id }) => ({ locationId: id, count: Number(typed(counts, id)) })).filter(({ count }) => count > 0)
      return before
        ? client.availability.changeEquipment({ id: before.id, name, units, isActive })
        : client.availability.addEquipment({ name, units })
    },
    done: ({ name }) => `${name} was ${before ? 'saved' : 'added'}`,
    onDone() {
      void cache.invalidateQueries({ queryKey: orpc.availability.key() })
      onClose()
    },
  })
  const { problems, values, set } = form
  return (
    <ActionDialog
      title={before ? 'Edit equipment' : 'Add equipment'}
      form={form}
      action={{ label: before ? 'Save equipment' : 'Add equipment' }}
      onClose={onClose}
    >
      <Field label="Name" error={problems.name}>
        <Input {...form.text('name')} maxLength={100} autoComplete="off" />
      </Field>
      {locations.map(({ id, name }, place) => (
        <Field key={id} label={locations.length > 1 ? `Pieces at ${name}` : 'Pieces'} error={place === 0 ? problems.units : undefined}>
          <Input
            value={typed(values.counts, id)}
            onChange={({ target }) => set({ counts: { ...values.counts, [id]: target.value } })}
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
          />
        </Field>
      ))}
      {before && (
        <CheckboxLine {...form.tick('isActive')} hint="Visits that need inactive equipment are not offered.">
          Active
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
