import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import type { Problems } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { permissions } from '../../../../kernel/access/policy.ts'
import { type Role, roleNames, roles } from '../../../../kernel/access/rules.ts'
import { completionRules, isAutomatic, itemKinds } from '../../checklist-rules.ts'
import { kindLabels } from '../labels.ts'
import { type ItemValues, type When, whens } from './item-values.ts'

const whenLabels: Record<When, string> = { before: 'Before the surgery', day: 'On the day', after: 'After the surgery' }

/** Roles that can be responsible: those that may tick items. */
const tickingRoles: readonly Role[] = permissions['surgeries.changeItem']

interface ItemFieldsProps {
  values: ItemValues
  problems: Problems
  onChange: (values: ItemValues) => void
}

/** Description, type, role and due date of an item. */
export function ItemFields({ values, problems, onChange }: ItemFieldsProps) {
  const needsProvider = values.ownerRole === 'provider' && !isAutomatic(values.kind)
  const set = (part: Partial<ItemValues>) => onChange({ ...values, ...part })
  return (
    <>
      <Field label="What has to be done" error={problems.words}>
        <Input value={values.words} maxLength={200} autoComplete="off" onChange={({ target }) => set({ words: target.value })} />
      </Field>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Field label="Type" hint={isAutomatic(values.kind) ? `${completionRules[values.kind]}.` : undefined}>
          <Select
            value={values.kind}
            onValueChange={(kind) => kind && set({ kind })}
            options={itemKinds.map((value) => ({ value, label: kindLabels[value] }))}
          />
        </Field>
        <Field label="Responsible" hint={needsProvider ? 'Only a provider or an administrator can tick it.' : undefined}>
          <Select
            value={values.ownerRole}
            onValueChange={(ownerRole) => ownerRole && set({ ownerRole })}
            // The item's current role stays available.
            options={roles
              .filter((role) => tickingRoles.includes(role) || role === values.ownerRole)
              .map((value) => ({ value, label: roleNames[value] }))}
          />
        </Field>
        <Field label="Due">
          <Select
            value={values.when}
            onValueChange={(when) => when && set({ when })}
            options={whens.map((value) => ({ value, label: whenLabels[value] }))}
          />
        </Field>
        {values.when !== 'day' && (
          <Field label="Days" error={problems.days}>
            <Input
              value={values.days}
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              onChange={({ target }) => set({ days: target.value })}
            />
          </Field>
        )}
      </div>
      <CheckboxLine
        checked={values.isRequired}
        onCheckedChange={(isRequired) => set({ isRequired })}
        hint="A surgery is not ready until its required items are complete."
      >
        Required
      </CheckboxLine>
    </>
  )
}
