import { client } from '../../../ui/client/api.ts'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { PasswordInput } from '../../../ui/controls/PasswordInput.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { minPasswordLength } from '../contract.ts'

interface ExportKeyDialogProps {
  signingKey: { id: string; fingerprint: string }
  onClose: () => void
}

/** Asks for the password of the file that holds the key, and downloads the file. */
export default function ExportKeyDialog({ signingKey: { id, fingerprint }, onClose }: ExportKeyDialogProps) {
  const form = useActionForm({
    initial: { password: '' },
    check: ({ password }) => ({
      password: password.length < minPasswordLength ? `Use at least ${minPasswordLength} characters` : undefined,
    }),
    send: ({ password }) => client.signingKeys.export({ id, password }),
    onDone: ({ file }) => {
      const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0))
      downloadBlob(new Blob([bytes], { type: 'application/x-pkcs12' }), `signing-key-${fingerprint.slice(0, 8).toUpperCase()}.p12`)
      toast.success('Signing key exported')
      onClose()
    },
  })
  return (
    <ActionDialog
      title="Export signing key"
      description="Anyone who has the file and its password can seal documents in the practice’s name."
      form={form}
      action={{ label: 'Export key', busyLabel: 'Exporting…' }}
      onClose={onClose}
    >
      <Field
        label="File password"
        hint={`At least ${minPasswordLength} characters. You need it to open the file, which is in PKCS #12 format (.p12).`}
        error={form.problems.password}
      >
        <PasswordInput {...form.text('password')} maxLength={200} autoComplete="new-password" />
      </Field>
    </ActionDialog>
  )
}
