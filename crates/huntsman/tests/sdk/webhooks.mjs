// Messages to webhooks through the reference library of the Standard Webhooks specification.

import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(join(process.env.SDK_FOLDER, "node_modules", "x"));
const { Webhook } = load("standardwebhooks");

for (const { headers, body, secrets, wrong_secrets } of JSON.parse(process.argv[2])) {
  for (const secret of secrets) new Webhook(secret).verify(body, headers);
  for (const secret of wrong_secrets) {
    let verified = true;
    try {
      new Webhook(secret).verify(body, headers);
    } catch {
      verified = false;
    }
    if (verified) throw new Error("a wrong secret verifies");
  }
}
console.log("well");
