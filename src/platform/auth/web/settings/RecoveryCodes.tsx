import { Copy, Download } from 'lucide-react'
import { downloadBlob } from '../../../../ui/client/download-blob.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose: () => void
}

/** Shown once; the server never returns them again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = `${codes.join('\n')}\n`
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Copied')
    } catch {
      toast.error('Couldn’t copy the codes', 'Save them as a file, or write them down.')
    }
  }
  function save() {
    downloadBlob(new Blob([text], { type: 'text/plain' }), 'refyne-recovery-codes.txt')
  }
  return (
    <Dialog onClose={onClose} title="Keep your recovery codes" dismissible={false}>
      <DialogBody className="flex flex-col gap-4">
        <p className="text-md text-fg-2">
          Each signs you in once when you don’t have your phone. They are not shown again, so keep them somewhere only you can reach.
        </p>
        <ol aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-md bg-subtle p-4">
          {codes.map((code) => (
            <li key={code} className="font-mono text-md text-fg select-all">
              {code}
            </li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Copy />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button icon={<Download />} onClick={save}>
            Save as a file
          </Button>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" variant="filled" onClick={onClose}>
          I saved them
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
