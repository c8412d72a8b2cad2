import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { cn } from '../../../../ui/cn.ts'
import { ContactPicker } from './ContactPicker.tsx'

interface PatientFilterProps {
  /** The patient's id. */
  value: string | undefined
  onChange: (id: string | undefined) => void
  /** For example its width. */
  className?: string
}

/** A toolbar filter by patient. */
export function PatientFilter({ value, onChange, className }: PatientFilterProps) {
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: value ?? '' }, enabled: value !== undefined }))
  return (
    <div className={cn('flex-none [&_[role=combobox]]:h-11 [&_[role=combobox]]:text-sm md:[&_[role=combobox]]:h-(--control)', className)}>
      <ContactPicker
        aria-label="Patient"
        value={value ?? null}
        onValueChange={(id) => onChange(id ?? undefined)}
        selected={patient.data ?? null}
        placeholder="All patients"
        clearable
      />
    </div>
  )
}
