import { Camera, ScanLine } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { deviceLimits } from '../../contract.ts'
import { canScanByCamera } from './scanner.ts'

const CameraScan = lazyDialog<{ onScan: (text: string) => void; onClose: () => void }>(
  () => import('./CameraScan.tsx'),
  ({ onClose }) => onClose(),
)

interface ScanFieldProps {
  label: string
  hint?: string
  onScan: (text: string) => void
}

/**
 * A field for labels. A handheld scanner types the code and presses Enter, as a person does. Scanners send the separator of GS1 as the key
 * combination Ctrl+], which no field takes as text. Where there is a camera, it scans too.
 */
export function ScanField({ label, hint, onScan }: ScanFieldProps) {
  const [text, setText] = useState('')
  const [hasCamera, setCamera] = useState(false)
  return (
    <Field
      label={label}
      hint={hint}
      aside={
        canScanByCamera() && (
          <IconButton
            label={hasCamera ? 'Stop the camera' : 'Scan with the camera'}
            size="sm"
            icon={<Camera />}
            onClick={() => setCamera(!hasCamera)}
          />
        )
      }
    >
      <Input
        value={text}
        leading={<ScanLine aria-hidden="true" />}
        maxLength={deviceLimits.scan}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === ']' && event.ctrlKey) {
            event.preventDefault()
            setText((before) => `${before}\u001D`)
          }
          if (event.key !== 'Enter') return
          // Enter reads the label, and does not send the form around it.
          event.preventDefault()
          if (text.trim() === '') return
          setText('')
          onScan(text)
        }}
      />
      {hasCamera && (
        <CameraScan
          onClose={() => setCamera(false)}
          onScan={(scanned) => {
            setCamera(false)
            onScan(scanned)
          }}
        />
      )}
    </Field>
  )
}
