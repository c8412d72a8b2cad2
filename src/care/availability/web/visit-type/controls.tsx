import { Input } from '../../../../ui/controls/Input.tsx'
import { MultiSelect } from '../../../../ui/controls/MultiSelect.tsx'
import type { numberFields, VisitTypeForm } from './useVisitTypeForm.ts'

interface NumberInputProps {
  form: VisitTypeForm
  name: (typeof numberFields)[number]
  /** After the number: 'min'. */
  unit: string
}

export const NumberInput = ({ form, name, unit }: NumberInputProps) => (
  <Input {...form.text(name)} inputMode="numeric" autoComplete="off" maxLength={3} trailing={<span className="text-sm">{unit}</span>} />
)

interface IdsInputProps {
  form: VisitTypeForm
  name: 'providerIds' | 'secondIds' | 'roomIds' | 'equipmentIds' | 'formIds'
  /** What can be chosen, without what was chosen before and no longer can. */
  options: readonly { value: string; label: string }[]
  /** The name of anything that is chosen. */
  labelOf: (id: string) => string
  placeholder: string
  listLabel: string
}

/** Chooses several people, rooms, pieces of equipment or forms. */
export function IdsInput({ form, name, options, labelOf, ...labels }: IdsInputProps) {
  const { value: chosen, onValueChange } = form.bind(name)
  return (
    <MultiSelect
      {...labels}
      picked={chosen.map((id) => ({ value: id, label: labelOf(id) }))}
      options={options.filter(({ value }) => !chosen.includes(value))}
      onAdd={(id) => onValueChange([...chosen, id])}
      onRemove={(id) => onValueChange(chosen.filter((one) => one !== id))}
    />
  )
}
