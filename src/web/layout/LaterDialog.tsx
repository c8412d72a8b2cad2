import { CreditCard } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

export default function LaterDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Take Payment">
      <DialogBody>
        <EmptyState icon={<CreditCard />} title="Payments are on their way" className="py-8">
          Here you will choose a customer and items, see taxes and total, and create the sales receipt in QuickBooks.
        </EmptyState>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
