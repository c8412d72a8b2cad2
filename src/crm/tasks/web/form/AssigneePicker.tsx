import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { MultiSelect } from '../../../../ui/controls/MultiSelect.tsx'
import type { TaskPerson } from '../../contract.ts'

/** The option that assigns all staff (spec 5). */
const allStaff = 'All Staff'

interface AssigneePickerProps {
  value: readonly string[]
  onChange: (ids: string[]) => void
  /** The people who can be assigned. */
  people: readonly TaskPerson[]
  /** Current assignees, who may no longer be among `people`. */
  assigned?: readonly TaskPerson[]
  loading?: boolean
  onBlur?: () => void
  ref?: React.Ref<HTMLButtonElement>
}

/** Selects one or more staff members, in order; the first one is responsible. */
export function AssigneePicker({ value, onChange, people, assigned = [], loading, onBlur, ref }: AssigneePickerProps) {
  const peopleById = new Map([...assigned, ...people].map((person) => [person.id, person]))
  const others = people.filter(({ id }) => !value.includes(id))
  const options = [
    ...(others.length > 0 ? [{ value: allStaff, label: allStaff, detail: `Everyone, ${people.length} people` }] : []),
    ...others.map(({ id, firstName, lastName, fullName, email }) => ({
      value: id,
      label: fullName,
      detail: email,
      icon: <Avatar kind="staff" size="sm" id={id} firstName={firstName} lastName={lastName} />,
    })),
  ]
  const add = (id: string) => onChange([...value, ...(id === allStaff ? others.map((person) => person.id) : [id])])

  return (
    <MultiSelect
      ref={ref}
      picked={value.map((id) => {
        const person = peopleById.get(id)
        const icon = <Avatar kind="staff" size="xs" id={id} firstName={person?.firstName} lastName={person?.lastName} />
        return { value: id, label: person?.fullName ?? 'Former staff', icon }
      })}
      options={options}
      onAdd={add}
      onRemove={(id) => onChange(value.filter((other) => other !== id))}
      listLabel="Assigned to"
      placeholder={value.length === 0 ? 'Choose assignees' : 'Add assignee'}
      search={{ placeholder: 'Name or email', empty: 'Everyone is already assigned.', isLoading: loading }}
      onBlur={onBlur}
    />
  )
}
