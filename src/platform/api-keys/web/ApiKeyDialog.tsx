import { client, type Client } from '../../../ui/client/api.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { keyFeatures, type KeyScope, keyScopes } from '../../../kernel/access/key-rules.ts'
import { featureLabels } from './labels.ts'

export type Made = Awaited<ReturnType<Client['apiKeys']['create']>>

interface ApiKeyDialogProps {
  onClose: () => void
  onMade: (made: Made) => void
}

const lives = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const

/** Name, expiry and scopes of a new key. */
export default function ApiKeyDialog({ onClose, onMade }: ApiKeyDialogProps) {
  const form = useActionForm({
    initial: { name: '', life: '90' as (typeof lives)[number]['value'], scopes: [] as readonly KeyScope[] },
    check: ({ name, scopes }) => ({
      name: name.trim() === '' ? 'Name the key' : undefined,
      scopes: scopes.length === 0 ? 'Choose what the key may do' : undefined,
    }),
    send: ({ name, scopes, life }) => client.apiKeys.create({ name, scopes: [...scopes], days: Number(life) }),
    onDone: onMade,
  })
  const { problems } = form
  const { scopes } = form.values
  const toggle = (scope: KeyScope, on: boolean) => form.set({ scopes: on ? [...scopes, scope] : scopes.filter((one) => one !== scope) })

  return (
    <ActionDialog
      title="Create API key"
      description="An API client that uses it acts as you, within the permissions you choose here."
      form={form}
      action={{ label: 'Create key', busyLabel: 'Creating…' }}
      onClose={onClose}
    >
      <Field label="Name" hint="The program that uses it, such as the phone system." error={problems.name}>
        <Input {...form.text('name')} maxLength={80} autoComplete="off" />
      </Field>
      <Field label="Works for">
        <Select {...form.choice('life')} options={lives} />
      </Field>
      <fieldset aria-describedby={problems.scopes ? 'scopes-wanting' : undefined}>
        <legend className="sr-only">Permissions of the key</legend>
        <div aria-hidden="true" className="grid grid-cols-[1fr_4rem_4rem] border-b border-line pb-1.5 text-xs font-medium text-fg-3">
          <span>Permissions of the key</span>
          <span>Read</span>
          <span>Change</span>
        </div>
        {keyFeatures.map((feature) => (
          <div
            key={feature}
            className="grid min-h-11 grid-cols-[1fr_4rem_4rem] items-center border-b border-line text-sm text-fg md:min-h-9"
          >
            <span>{featureLabels[feature]}</span>
            {(['read', 'write'] as const).map((action) => {
              const scope = keyScopes.find((one) => one === `${feature}:${action}`)
              return scope ? (
                <Checkbox
                  key={action}
                  aria-label={`${action === 'read' ? 'Read' : 'Change'}: ${featureLabels[feature]}`}
                  checked={scopes.includes(scope)}
                  onCheckedChange={(on) => toggle(scope, on)}
                />
              ) : (
                <span key={action} />
              )
            })}
          </div>
        ))}
        {problems.scopes && (
          <p id="scopes-wanting" role="alert" className="pt-2 text-sm text-danger-fg">
            {problems.scopes}
          </p>
        )}
      </fieldset>
    </ActionDialog>
  )
}
