import type { ContactData } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { client } from '../../../../ui/client/api.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { photoUseMessages } from '../../contract.ts'
import type { PatientUsesData } from '../use-data.ts'

interface ReleasePhotosDialogProps {
  patient: Pick<ContactData, 'id' | 'firstName' | 'email'>
  photoIds: readonly string[]
  onDone: (uses: PatientUsesData) => void
  onClose: () => void
}

/** Shows the patient their own photos in the portal. */
export default function ReleasePhotosDialog({ patient, photoIds, onDone, onClose }: ReleasePhotosDialogProps) {
  const count = photoIds.length === 1 ? '1 photo' : `${photoIds.length} photos`
  const form = useActionForm({
    initial: { notify: false },
    send: ({ notify }) => client.photoUses.release({ contactId: patient.id, photoIds: [...photoIds], notify }),
    done: `${count} released to the portal`,
    onDone(uses) {
      onDone(uses)
      onClose()
    },
  })
  return (
    <ActionDialog
      title={`Release ${count} to the patient’s portal?`}
      description={`${patient.firstName} can see and download them as they would be shared: cropped and blurred, without markup. You can take them back at any time.`}
      form={form}
      action={{ label: photoIds.length === 1 ? 'Release photo' : 'Release photos', busyLabel: 'Releasing…' }}
      onClose={onClose}
    >
      {patient.email ? (
        <CheckboxLine
          checked={form.values.notify}
          onCheckedChange={(notify) => form.set({ notify })}
          hint="It says that photos are in the portal, and nothing about them."
        >
          Email the patient that photos are ready
        </CheckboxLine>
      ) : (
        <Alert tone="warning">{photoUseMessages.noEmail}</Alert>
      )}
    </ActionDialog>
  )
}
