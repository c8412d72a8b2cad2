/** How to set up a tool to send leads to a source's intake URL. Each step is one or two sentences; quoted names are the tool's own. */
export interface SetupGuide {
  tool: string
  steps: readonly string[]
  /** Requirements such as a paid plan or an add-on. */
  note?: string
}

const zapierSteps = [
  'Add an action, choose “Webhooks by Zapier”, and the event “POST”.',
  'Paste the address into “URL” and choose “Form” or “Json” as the “Payload Type”.',
  'Under “Data” add first_name, last_name, email, phone and procedure, and pick the answer that belongs to each.',
  'Test the step, check that the lead appears below, and publish the Zap.',
] as const
const zapierNote = 'Webhooks by Zapier needs a paid Zapier plan. In Make, use the “HTTP” module in the same way.'

/** Setup guides in alphabetical order. */
export const setupGuides: readonly SetupGuide[] = [
  {
    tool: 'Contact Form 7',
    note: 'Contact Form 7 sends no webhooks by itself, so a plugin is needed.',
    steps: [
      'In WordPress, open “Plugins”, “Add New”, and install and activate “CF7 to Webhook”.',
      'Open “Contact”, edit your form, and go to the “Webhook” tab.',
      'Turn on sending to a webhook, paste the address into the webhook URL, and save the form.',
      'Name the form’s fields first_name, last_name and email, for example [email* email], or map them here after the first lead.',
      'Send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Elementor',
    note: 'Forms are part of Elementor Pro.',
    steps: [
      'In WordPress, edit the page with Elementor and select the Form widget.',
      'Under “Content”, open “Actions After Submit” and add “Webhook”.',
      'Open the “Webhook” section that appears and paste the address into “Webhook URL”.',
      'Leave “Advanced Data” on to send the page’s address, too. Both settings work.',
      'Update the page, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Facebook and Instagram lead ads',
    note: `Meta’s own webhook contains only the id of the lead, so a service has to fetch it. ${zapierNote}`,
    steps: ['In Zapier, create a Zap with the trigger “Facebook Lead Ads”, “New Lead”, and choose your page and form.', ...zapierSteps],
  },
  {
    tool: 'Google Ads lead form',
    steps: [
      'In Google Ads, open “Assets” and edit your lead form, or create one.',
      'Open “Export leads from Google Ads” and choose the webhook option.',
      'Paste the address into “Webhook URL”. “Key” must not be empty; type any word, because the address already identifies the sender.',
      'Click “Send test data”, check that the lead appears below, and delete the test patient.',
      'Save the lead form.',
    ],
  },
  {
    tool: 'Gravity Forms',
    note: 'The Webhooks add-on needs a Gravity Forms Elite license.',
    steps: [
      'In WordPress, open “Forms”, “Add-Ons”, and install and activate “Webhooks”.',
      'Open your form, “Settings”, “Webhooks”, and click “Add New”.',
      'Paste the address into “Request URL”. Set “Request Method” to POST and “Request Format” to JSON or FORM.',
      'Set “Request Body” to “Select Fields”, and add first_name, last_name and email with the field for each. “All Fields” works with a name and an email field, too.',
      'Save, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'HubSpot',
    note: 'Webhooks in workflows need Data Hub (Operations Hub) Professional or higher.',
    steps: [
      'In HubSpot, open “Automation”, “Workflows”, and create a contact-based workflow.',
      'As the trigger, choose that your form was submitted.',
      'Add the action “Send a webhook”, choose the method POST, and paste the address into “Webhook URL”.',
      'Include first name, last name, email and phone, or all contact properties.',
      'Turn the workflow on, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Jotform',
    steps: [
      'Open your form in the Form Builder and go to “Settings”, “Integrations”.',
      'Search for “WebHooks” and select it.',
      'Paste the address and click “Complete Integration”.',
      'Send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Leadpages',
    note: zapierNote,
    steps: ['In Zapier, create a Zap with the trigger “Leadpages”, “New Form Submission”, and choose your page’s form.', ...zapierSteps],
  },
  {
    tool: 'LinkedIn lead gen forms',
    note: zapierNote,
    steps: [
      'In Zapier, create a Zap with the trigger “LinkedIn Ads”, “New Lead Gen Form Response”, and choose your account and form.',
      ...zapierSteps,
    ],
  },
  {
    tool: 'Make',
    steps: [
      'In your scenario, add the module “HTTP”, “Make a request”, after the one that has the lead.',
      'Paste the address into “URL” and set “Method” to POST.',
      'Set the body to raw JSON (application/json), or to form data.',
      'Add first_name, last_name, email, phone and procedure, and map the value that belongs to each.',
      'Run the scenario once, check that the lead appears below, and turn its schedule on.',
    ],
  },
  {
    tool: 'Ninja Forms',
    note: 'Webhooks is a paid add-on of Ninja Forms.',
    steps: [
      'In WordPress, install and activate the Ninja Forms “Webhooks” add-on, and open your form.',
      'Go to “Emails & Actions”, add an action, and choose “Webhooks”.',
      'Paste the address into “Remote URL” and set “Remote Method” to Post.',
      'Under “Args” add the keys first_name, last_name, email and phone, each with the field’s merge tag as its value.',
      'Click “Done”, publish the form, send it once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Squarespace',
    note: `Squarespace forms send no webhooks by themselves. ${zapierNote}`,
    steps: [
      'In Squarespace, edit the form block, open “Storage”, and connect Zapier.',
      'In Zapier, create a Zap with the trigger “Squarespace”, “New Form Submission”, and choose your form.',
      ...zapierSteps,
    ],
  },
  {
    tool: 'TikTok lead generation',
    note: zapierNote,
    steps: [
      'In Zapier, create a Zap with the trigger “TikTok Lead Generation”, “New Lead”, and choose your ad account and instant form.',
      ...zapierSteps,
    ],
  },
  {
    tool: 'Typeform',
    steps: [
      'Open your form, go to “Connect”, then “Webhooks”.',
      'Click “Add a webhook”, paste the address, and save it.',
      'Turn the webhook on with its switch.',
      'Click “View deliveries”, “Send test request”, or answer the form once, and check that the lead appears below.',
    ],
  },
  {
    tool: 'Unbounce',
    steps: [
      'Open your page’s overview and go to the “Integrations” tab.',
      'Add the integration “Webhooks” (in Classic Builder, “Webhook: POST to URL”).',
      'Paste the address into the URL field and save. Field mapping can stay as it is.',
      'Republish the page, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Webflow',
    steps: [
      'Open your site’s settings and go to “Apps & integrations”.',
      'Under “Webhooks” click “Add webhook”, choose the trigger “Form submission” and the newest API version.',
      'Paste the address into “Webhook URL” and click “Add webhook”.',
      'Publish the site, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Wix',
    steps: [
      'In your site’s dashboard, open “Automations” and click “New Automation”, “Start from Scratch”.',
      'As the trigger choose “Wix Forms”, “Form submitted”, and your form.',
      'As the action choose “Send HTTP request” (formerly “Send via webhook”), with the method POST.',
      'Paste the address into the target URL and send all keys and values.',
      'Activate the automation, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'WPForms',
    note: 'The Webhooks addon needs a WPForms Elite license.',
    steps: [
      'In WordPress, open “WPForms”, “Addons”, and install and activate the “Webhooks Addon”.',
      'Edit your form, go to “Settings”, “Webhooks”, turn webhooks on, and add one.',
      'Paste the address into “Request URL”. Set “Request Method” to POST and “Request Format” to JSON.',
      'Under “Request Body” add the keys first_name, last_name, email and phone, and choose the field for each.',
      'Save, send the form once and check that the lead appears below.',
    ],
  },
  {
    tool: 'Zapier',
    note: 'Webhooks by Zapier needs a paid Zapier plan.',
    steps: ['In Zapier, create a Zap with the trigger that has your leads, for example a form or an ad platform.', ...zapierSteps],
  },
]
