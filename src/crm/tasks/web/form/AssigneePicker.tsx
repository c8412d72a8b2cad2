import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { PickMany } from '../../../../ui/controls/PickMany.tsx'
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
    ...(others.length > 0 ? [{ value: everybody, label: everybody, detail: `Everyone, ${people.length} people` }] : []),
    ...others.map(({ id, firstName, lastName, fullName, email }) => ({
      value: id,
      label: fullName,
      detail: email,
      icon: <Avatar kind="staff" size="sm" id={id} firstName={firstName} lastName={lastName} />,
    })),
  ]
  const add = (id: string) => onChange([...value, ...(id === everybody ? others.map((person) => person.id) : [id])])

  return (
    <PickMany
      ref={ref}
      picked={value.map((id) => {
        const person = known.get(id)
        const icon = <Avatar kind="staff" size="xs" id={id} firstName={person?.firstName} lastName={person?.lastName} />
        return { value: id, label: person?.fullName ?? 'Former staff', icon }
      })}
      options={options}
      onAdd={add}
      onRemove={(id) => onChange(value.filter((other) => other !== id))}
      listLabel="Assigned to"
      loading={loading}
      placeholder={value.length === 0 ? 'Choose who does it' : 'Add assignee'}
      searchPlaceholder="Name or email"
      empty="Everyone is assigned already."
      onBlur={onBlur}
    />
  )
}
