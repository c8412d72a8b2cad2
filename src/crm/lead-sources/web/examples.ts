/** An HTML form for the practice's website that sends a lead, with field names from spec 5. */
export const formExample = (address: string): string => `<form action="${address}" method="post">
  <label>First name <input name="first_name" autocomplete="given-name" required></label>
  <label>Last name <input name="last_name" autocomplete="family-name" required></label>
  <label>Email <input name="email" type="email" autocomplete="email" required></label>
  <label>Phone <input name="phone" type="tel" autocomplete="tel"></label>
  <label>What are you interested in? <input name="procedure"></label>
  <button>Send</button>
</form>`

/** A curl command that sends a lead. */
export const curlExample = (address: string): string => `curl '${address}' \\
  --header 'Content-Type: application/json' \\
  --data '{"first_name": "Ana", "last_name": "Silva", "email": "ana@example.com"}'`
