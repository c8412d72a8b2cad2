import { X } from 'lucide-react'
import { Avatar } from '../../../../web/ui/Avatar.tsx'
import { Combobox } from '../../../../web/ui/Combobox.tsx'
import type { TaskPerson } from '../../contract.ts'

/** Spec 5: assigns every member of staff. */
const everybody = 'All Staff'

interface AssigneePickerProps {
  value: readonly string[]
  onChange: (ids: string[]) => void
  /** Who can be chosen. */
  people: readonly TaskPerson[]
  /** Who is assigned already, and may not be among them any more. */
  assigned?: readonly TaskPerson[]
  loading?: boolean
  onBlur?: () => void
  ref?: React.Ref<HTMLButtonElement>
}

/** One or more of the staff, in the order in which they were chosen; the first is in charge. */
export function AssigneePicker({ value, onChange, people, assigned = [], loading, onBlur, ref }: AssigneePickerProps) {
  const known = new Map([...assigned, ...people].map((person) => [person.id, person]))
  const others = people.filter(({ id }) => !value.includes(id))
  const options = [
    ...(others.length > 0 ? [{ value: everybody, label: everybody, detail: `Everybody, ${people.length} people` }] : []),
    ...others.map(({ id, firstName, lastName, fullName, email }) => ({
      value: id,
      label: fullName,
      detail: email,
      icon: <Avatar kind="staff" size="sm" id={id} firstName={firstName} lastName={lastName} />,
    })),
  ]
  function add(id: string | null) {
    if (id === everybody) onChange([...value, ...others.map((person) => person.id)])
    else if (id !== null) onChange([...value, id])
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Combobox
        ref={ref}
        value={null}
        onValueChange={add}
        options={options}
        loading={loading}
        placeholder={value.length === 0 ? 'Choose who does it' : 'Add somebody'}
        searchPlaceholder="Name or email"
        empty="Everybody is assigned already."
        onBlur={onBlur}
      />
      {value.length > 0 && (
        <ul aria-label="Assigned to" className="flex max-h-26 flex-wrap gap-1.5 overflow-y-auto">
          {value.map((id) => {
            const person = known.get(id)
            const name = person?.fullName ?? 'Former staff'
            return (
              <li key={id} className="flex h-9 max-w-full items-center gap-1.5 rounded-md bg-hover pl-1.5 text-sm md:h-7">
                <Avatar kind="staff" size="xs" id={id} firstName={person?.firstName} lastName={person?.lastName} />
                <span className="truncate">{name}</span>
                <button
                  type="button"
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(value.filter((other) => other !== id))}
                  className="relative flex size-9 flex-none items-center justify-center rounded-md text-fg-3 hover:bg-active hover:text-fg md:size-7"
                >
                  <X className="size-3.5!" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
