import { client } from '../../../../ui/client/api.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { problemsIn, useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { passkeyInput } from '../../account-contract.ts'
import { createPasskey } from '../passkey.ts'

/** Names a passkey, and lets the browser create it. */
export default function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const form = useActionForm({
    initial: { name: '' },
    check: (values) => problemsIn(passkeyInput, values),
    async send({ name }) {
      const response = await createPasskey(await client.account.beginPasskey())
      await client.account.addPasskey({ name, response })
    },
    done: 'Passkey added',
    onDone: onClose,
  })
  return (
    <ActionDialog title="Add a passkey" form={form} action={{ label: 'Continue', busyLabel: 'Waiting for your device…' }} onClose={onClose}>
      <p className="text-md text-fg-2">Your browser then asks for your fingerprint, face or PIN, or for a security key.</p>
      <Field label="Name" error={form.problems.name}>
        <Input {...form.text('name')} placeholder="Front desk laptop" maxLength={60} />
      </Field>
    </ActionDialog>
  )
}
